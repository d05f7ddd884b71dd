"""A figure is noted as data in the kernel, and compared by them where drawing differs."""

import nbformat
import numpy as np
import pytest
from matplotlib.figure import Figure

from workshop.runs.alone import run_code
from workshop.runs.compare import clean_outputs, differences
from workshop.runs.kernel_startup import PLOT_MIME, plot_data

X = np.linspace(0, 4, 100)


def drawn(change=lambda axis: None, steepness=1.0):
    """The cell of a figure with a curve, bars, dots, an image and words, after a change."""
    figure = Figure(figsize=(6, 3.2))
    axis, image = figure.subplots(1, 2)
    axis.plot(X, np.exp(-steepness * X), label="loss")
    axis.plot(X, np.sin(X), "--", color="tab:red", label="error")
    axis.bar([1, 2], [0.25, 0.5])
    axis.scatter([1, 2, 3], [0.1, 0.2, 0.3])
    axis.text(1, 0.5, "here")
    axis.set(xlabel="step", ylabel="loss")
    axis.set_xticks([0, 2, 4], ["start", "middle", "end"])
    image.imshow([[0.0, 1.0], [2.0, 3.0]])
    change(axis)
    axis.legend()
    data = {"text/plain": "<Figure>", "image/png": "", PLOT_MIME: plot_data(figure)}
    cell = nbformat.v4.new_code_cell(
        "draw()", outputs=[nbformat.v4.new_output("display_data", data)]
    )
    cell.outputs = clean_outputs(cell.outputs)
    return cell


FAULTS = {
    "another curve": (lambda axis: axis.lines[0].set_ydata(np.exp(-1.01 * X)), "lines, 1, y: docu"),
    "a shorter curve": (lambda axis: axis.lines[0].set_data(X[1:], X[1:]), "documented 100, prod"),
    "another colour": (lambda axis: axis.lines[1].set_color("tab:green"), "color, 1: documented"),
    "another style": (lambda axis: axis.lines[1].set_linestyle("-"), "style: documented '-- None'"),
    "a marker": (lambda axis: axis.lines[0].set_marker("o"), "style: documented"),
    "another name": (lambda axis: axis.lines[0].set_label("cost"), "documented 'loss'"),
    "a missing curve": (lambda axis: axis.lines[1].remove(), "documented 2 of them, produced 1"),
    "one more curve": (lambda axis: axis.plot(X, X), "documented 2 of them, produced 3"),
    "another bar": (lambda axis: axis.patches[0].set_height(0.26), "patches, 1, box"),
    "another dot": (
        lambda axis: axis.collections[0].set_offsets([[1, 0.1], [2, 0.2], [3, 0.4]]),
        "collections, 1, offsets",
    ),
    "another word": (lambda axis: axis.texts[0].set_text("there"), "documented 'here'"),
    "another axis": (lambda axis: axis.set_ylabel("cost"), "y axis, label: documented 'loss'"),
    "another scale": (lambda axis: axis.set_yscale("symlog"), "scale: documented 'linear'"),
    "other ticks": (lambda axis: axis.set_xticks([0, 2, 4], ["a", "b", "c"]), "tick labels, 1"),
    "another image": (
        lambda axis: axis.figure.axes[1].images[0].set_data([[0, 1], [2, 4]]),
        "images, 1, values: documented 3, produced 4",
    ),
    "another colour map": (
        lambda axis: axis.figure.axes[1].images[0].set_cmap("gray"),
        "colormap: documented 'viridis', produced 'gray'",
    ),
    "another size": (lambda axis: axis.figure.set_size_inches(5, 3), "plot, size"),
}


@pytest.mark.parametrize("mode", ["pinned", "tolerant"])
@pytest.mark.parametrize("fault", FAULTS)
def test_fault_in_a_figure_is_caught_without_its_picture(fault, mode):
    change, message = FAULTS[fault]
    (line,) = differences(drawn(), drawn(change), mode=mode)
    assert message in line


def test_figures_of_other_versions_agree_within_a_thousandth():
    documented, nearly = drawn(), drawn(steepness=1.0002)
    nearly.outputs[0].data["image/png"] = "drawn otherwise"
    assert differences(documented, nearly, mode="tolerant") == []
    assert differences(documented, nearly, mode="pinned")


@pytest.mark.parametrize("mode", ["pinned", "tolerant"])
def test_rounding_may_be_other_elsewhere_but_not_what_is_drawn(mode):
    documented, other = drawn(), drawn(steepness=1.1)
    assert differences(documented, other, mode=mode)
    documented.metadata["varies"] = {"reason": "rounding"}
    assert differences(documented, other, mode=mode) == []
    change, message = FAULTS["another name"]
    assert message in differences(documented, drawn(change), mode=mode)[0]
    documented.metadata["varies"] = {"reason": " "}
    assert differences(documented, other, mode=mode) == ["varies without a written reason"]


def test_a_figure_without_its_data_is_missed():
    bare = drawn()
    del bare.outputs[0].metadata["plot"]
    assert differences(drawn(), bare, mode="tolerant")
    assert differences(bare, drawn(), mode="tolerant")


def test_a_kernel_notes_what_it_draws_and_shows():
    sources = [
        "import matplotlib.pyplot as plt\nfigure, axis = plt.subplots()\naxis.plot([1.5, 2.5])",
        "figure",
        "sorted(name for name in globals() if name[0] != '_')",
    ]
    run_code(cells := [nbformat.v4.new_code_cell(source) for source in sources])
    at_the_end, asked_for, names = (cell.outputs[-1].data for cell in cells)
    for data in (at_the_end, asked_for):
        assert data[PLOT_MIME]["axes"][0]["lines"][0]["y"]["values"] == [1.5, 2.5]
    assert "plot_data" not in names["text/plain"], "a notebook sees nothing of its tests"
