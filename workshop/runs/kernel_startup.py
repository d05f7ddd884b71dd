"""An IPython extension that every kernel of this book's tools loads before the first cell.

It refuses the network, ignores a warning that comes at any time, and notes the data of each matplotlib
figure beside its picture (pictures differ between versions of matplotlib, their data do not). It knows
nothing of this repository.
"""

import logging
import socket
import sys
import warnings

PLOT_MIME = "application/x-plot-data+json"
POINTS = 40  # of a series at most, evenly spread


def sample(values) -> dict:
    """Shape of an array of numbers and at most POINTS of them, first and last included."""
    import numpy as np

    array = np.ma.filled(np.ma.asarray(values, dtype=float), np.nan)
    flat = array.ravel()
    places = np.linspace(0, flat.size - 1, min(POINTS, flat.size)).round().astype(int)
    return {
        "shape": list(array.shape),
        "values": [float(f"{value:.6g}") if np.isfinite(value) else None for value in flat[places]],
    }


def colors(values) -> list[str]:
    """The distinct colours of an artist, in hexadecimal with opacity."""
    from matplotlib.colors import to_hex, to_rgba_array

    found = [to_hex(color, keep_alpha=True) for color in to_rgba_array(values)]
    return list(dict.fromkeys(found))


def name_of(artist) -> str:
    """The label of an artist, empty where matplotlib made one up."""
    label = str(artist.get_label())
    return "" if label.startswith("_") else label


def axis_data(axis) -> dict:
    """Label, scale and, where they were set by hand, ticks of an axis."""
    from matplotlib.ticker import FixedLocator

    data = {"label": axis.get_label_text(), "scale": axis.get_scale()}
    if isinstance(axis.get_major_locator(), FixedLocator):
        data["ticks"] = sample(axis.get_ticklocs())
        data["tick labels"] = [label.get_text() for label in axis.get_ticklabels()]
    return data


def axes_data(axes) -> dict:
    """Everything a reader sees in one pair of axes."""
    legend = axes.get_legend()
    return {
        "title": axes.get_title(),
        "x axis": axis_data(axes.xaxis),
        "y axis": axis_data(axes.yaxis),
        "legend": [text.get_text() for text in legend.get_texts()] if legend else [],
        "lines": [
            {
                "label": name_of(line),
                "color": colors(line.get_color()),
                "style": f"{line.get_linestyle()} {line.get_marker()}",
                "x": sample(line.get_xdata(orig=False)),
                "y": sample(line.get_ydata(orig=False)),
            }
            for line in axes.lines
        ],
        "patches": [
            {
                "label": name_of(patch),
                "color": colors(patch.get_facecolor()),
                "box": sample(patch.get_path().transformed(patch.get_patch_transform()).vertices),
            }
            for patch in axes.patches
        ],
        "collections": [
            {
                "label": name_of(collection),
                "color": colors(collection.get_facecolor()),
                "edge": colors(collection.get_edgecolor()),
                "offsets": sample(collection.get_offsets()),
                "paths": [sample(path.vertices) for path in collection.get_paths()[:POINTS]],
            }
            for collection in axes.collections
        ],
        "images": [
            {"colormap": image.get_cmap().name, "values": sample(image.get_array())}
            for image in axes.images
        ],
        "texts": [
            {"text": text.get_text(), "place": sample(text.get_position())} for text in axes.texts
        ],
    }


def plot_data(figure) -> dict:
    """Everything that a figure shows, as data that do not depend on how it is drawn."""
    return {
        "size": sample(figure.get_size_inches()),
        "texts": [text.get_text() for text in figure.texts],
        "axes": [axes_data(axes) for axes in figure.axes],
    }


def note_plots(shell) -> None:
    """Let each displayed figure bring its data along, under a MIME type of its own."""
    from IPython.core.formatters import BaseFormatter

    class PlotDataFormatter(BaseFormatter):
        """(A printer registered for figures would not do: the inline backend removes all.)"""

        def __call__(self, shown):
            matplotlib = sys.modules.get("matplotlib.figure")
            is_figure = matplotlib and isinstance(shown, matplotlib.Figure)
            return plot_data(shown) if is_figure else None

    formatter = PlotDataFormatter(parent=shell.display_formatter)
    shell.display_formatter.formatters[PLOT_MIME] = formatter


def refuse_network() -> None:
    """Let no Python code of a notebook reach another machine."""
    connect = socket.socket.connect

    def local_only(self, address):
        if self.family in (socket.AF_INET, socket.AF_INET6):
            raise OSError(f"a notebook of this book works without the network; asked {address!r}")
        return connect(self, address)

    socket.socket.connect = local_only


def ignore_forgotten_coroutines() -> None:
    """Say nothing of coroutines that a library never awaited, nor of tasks whose error it never read.

    Where a load of Orbax fails, it depends on timing alone whether one is left, and which later cell
    the garbage collector then warns in.
    """
    warnings.filterwarnings("ignore", "coroutine .* was never awaited", RuntimeWarning)
    logging.getLogger("asyncio").addFilter(
        lambda record: "exception was never retrieved" not in record.getMessage()
    )


def load_ipython_extension(shell) -> None:
    """What IPython calls when the kernel starts."""
    refuse_network()
    ignore_forgotten_coroutines()
    note_plots(shell)
