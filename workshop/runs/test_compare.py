"""The comparison of documented with produced outputs: catches faults, flags nothing harmless."""

import base64
import io

import nbformat
import numpy as np
import pytest
from PIL import Image, ImageDraw

from workshop.chapter.lint import faults_in
from workshop.runs.compare import clean_outputs, differences, text_of

output = nbformat.v4.new_output


def printed(text, name="stdout"):
    return output("stream", name=name, text=text)


def warned(text):
    return printed(text, "stderr")


def result(text, **data):
    return output("execute_result", {"text/plain": text, **data}, execution_count=1)


def page(html):
    return result("x", **{"text/html": html})


def raised(name, message="no", *traceback):
    return output("error", ename=name, evalue=message, traceback=list(traceback))


def shown(picture):
    return output("display_data", {"text/plain": "<Figure>", "image/png": picture})


def picture(color=(31, 119, 180), height=1.0, letter="a", size=(320, 240), noise=0):
    image = Image.new("RGBA", size, "white")
    pen = ImageDraw.Draw(image)
    x = np.linspace(0, 300, 100)
    pen.line(list(zip(x, 200 - 150 * height * np.exp(-x / 80), strict=True)), fill=color, width=2)
    pen.text((250, 20), letter, fill="black")
    pixels = np.asarray(image, dtype=int)
    grain = np.random.default_rng(0).integers(0, 2, pixels.shape[:2] + (1,)) * noise
    image = Image.fromarray(np.clip(pixels - grain * [1, 1, 1, 0], 0, 255).astype(np.uint8))
    stream = io.BytesIO()
    image.save(stream, format="png")
    return base64.b64encode(stream.getvalue()).decode()


def cell(*outputs, tags=(), varies=None, count=1):
    metadata = {"tags": list(tags)} if tags else {}
    if varies is not None:
        metadata["varies"] = varies
    return nbformat.v4.new_code_cell(
        "step(x)", outputs=list(outputs), metadata=metadata, execution_count=count
    )


RAISES = ("raises-exception",)
TIMING = {"pattern": r"took \d+ ms", "reason": "a time"}
TOOK = printed("took 5 ms\n")
LIBRARY = "/home/a/lib/python3.11/site-packages/jax/x.py:7: hm\n"
FRAME_OF_LIBRARY = "File ~/jax/x.py:7, in f()"

# What is documented, and what is produced instead.
FAULTS = {
    "a changed digit in a result": ([result("30.0")], [result("30.1")]),
    "a changed digit in what is printed": ([printed("1\n2\n3\n")], [printed("1\n2\n4\n")]),
    "a changed sign": ([result("-36.864")], [result("36.864")]),
    "another dtype": ([result("Array(1, dtype=int32)")], [result("Array(1, dtype=float32)")]),
    "a deleted output": ([], [result("30.0")]),
    "a deleted stream beside a result": ([result("30")], [printed("traced\n"), result("30")]),
    "an output no longer there": ([printed("once\n"), result("1")], [result("1")]),
    "swapped outputs": ([result("1"), printed("a\n")], [printed("a\n"), result("1")]),
    "a missing line": ([printed("1\n1\n")], [printed("1\n")]),
    "another stream": ([printed("careful\n")], [warned("careful\n")]),
    "a display instead of a result": ([result("1")], [output("display_data", {"text/plain": "1"})]),
    "other HTML beside equal text": ([page("<b>1</b>")], [page("<b>2</b>")]),
    "HTML no longer there": ([page("<b>1</b>")], [result("x")]),
    "other data of an unknown kind": (
        [result("x", **{"application/json": {"n": 1}})],
        [result("x", **{"application/json": {"n": 2}})],
    ),
    "an error that is not documented": ([result("1")], [raised("TypeError")]),
    "an error that is documented but not tagged": ([raised("TypeError")], [raised("TypeError")]),
    "another curve": ([shown(picture())], [shown(picture(height=1.02))]),
    "another colour": ([shown(picture())], [shown(picture(color=(255, 127, 14)))]),
    "a slightly other colour": ([shown(picture())], [shown(picture(color=(44, 130, 190)))]),
    "another letter": ([shown(picture())], [shown(picture(letter="o"))]),
    "another size": ([shown(picture())], [shown(picture(size=(321, 240)))]),
    "a picture that is no longer there": ([shown(picture())], []),
    "a picture that is broken": ([shown("AAAA")], [shown(picture())]),
}
# The same in a cell that must fail.
FAULTS_OF_ERRORS = {
    "another error type": ([raised("TypeError")], [raised("ValueError")]),
    "another message": ([raised("TypeError", "shape (3,)")], [raised("TypeError", "shape (4,)")]),
    "another line": (
        [raised("E", "no", "----> 1 step(x)")],
        [raised("E", "no", "----> 2 step(x)")],
    ),
    "an error that no longer happens": ([raised("TypeError")], [result("1")]),
    "no error at all": ([result("1")], [result("1")]),
    "an error whose output was deleted": ([], [raised("TypeError")]),
}
# In a cell whose text may vary: what `varies` says, what is documented and what is produced.
FAULTS_OF_VARIES = {
    "no reason": (TIMING | {"reason": " "}, [TOOK], [printed("took 6 ms\n")]),
    "documented text does not match": (TIMING, [printed("took five ms\n")], [TOOK]),
    "produced text does not match": (TIMING, [TOOK], [printed("took 6 s\n")]),
    "produced text matches only in part": (TIMING, [TOOK], [printed("took 6 ms\n1\n")]),
    "a broken pattern": (TIMING | {"pattern": "("}, [TOOK], [TOOK]),
    "a pattern that matches anything": (TIMING | {"pattern": r"(?s).*"}, [TOOK], [TOOK]),
    "another picture": (TIMING, [TOOK, shown(picture())], [TOOK, shown(picture(letter="o"))]),
}

HARMLESS = {
    "equal results": ([result("30.0")], [result("30.0")]),
    "a memory address": ([result("<f at 0x7f3a9c1b2d30>")], [result("<f at 0x55d0c8f0a1b0>")]),
    "a stream flushed in parts": ([printed("1\n2\n")], [printed("1\n"), printed("2\n")]),
    "two streams flushed in another order": (
        [warned("careful\n"), printed("1\n2\n")],
        [printed("1\n"), warned("careful\n"), printed("2\n")],
    ),
    "a progress line": ([printed("3/3 done\n")], [printed("1/3\r2/3\r3/3 done\n")]),
    "a progress line that goes back": ([printed("10%\n")], [printed("5%\b\b10%\n")]),
    "colours of a terminal": ([printed("red\n")], [printed("\x1b[31mred\x1b[0m\n")]),
    "the file of a cell": (
        [warned("/tmp/ipykernel_12/345.py:3: UserWarning: x\n")],
        [warned("/tmp/ipykernel_98/765.py:3: UserWarning: x\n")],
    ),
    "a temporary folder": ([result("'/tmp/tmpab12/step_3'")], [result("'/tmp/tmpzz99/step_3'")]),
    "where libraries are": (
        [warned(LIBRARY)],
        [warned(LIBRARY.replace("/home/a/lib/python3.11", "/opt/b/lib/python3.12"))],
    ),
    "a picture with noise": ([shown(picture())], [shown(picture(noise=1))]),
}
HARMLESS_IN_ERRORS = {
    "another traceback": (
        [raised("TypeError", "no", "Cell In[3], line 1")],
        [raised("TypeError", "no", "Cell In[9], line 1")],
    ),
    "a traceback through other libraries": (
        [raised("TypeError", "no", "Cell In[3], line 1")],
        [raised("TypeError", "no", "Cell In[3], line 1", FRAME_OF_LIBRARY)],
    ),
    "a cell number in a message": (
        [raised("SyntaxError", "bad (Cell In[3], line 1)")],
        [raised("SyntaxError", "bad (Cell In[9], line 1)")],
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_fault_is_caught(fault):
    documented, produced = FAULTS[fault]
    caught(cell(*documented), cell(*produced))


@pytest.mark.parametrize("fault", FAULTS_OF_ERRORS)
def test_fault_in_a_cell_that_must_fail_is_caught(fault):
    documented, produced = FAULTS_OF_ERRORS[fault]
    caught(cell(*documented, tags=RAISES), cell(*produced, tags=RAISES))


@pytest.mark.parametrize("fault", FAULTS_OF_VARIES)
def test_fault_in_a_cell_that_varies_is_caught(fault):
    varies, documented, produced = FAULTS_OF_VARIES[fault]
    caught(cell(*documented, varies=varies), cell(*produced))


def caught(documented, produced):
    found = differences(documented, produced)
    assert found
    assert all("\n" not in line for line in found), "one line per difference"


@pytest.mark.parametrize("name", HARMLESS)
def test_harmless_change_is_not_flagged(name):
    documented, produced = HARMLESS[name]
    assert differences(cell(*documented, count=1), cell(*produced, count=9)) == []


@pytest.mark.parametrize("name", HARMLESS_IN_ERRORS)
def test_harmless_change_of_an_error_is_not_flagged(name):
    documented, produced = HARMLESS_IN_ERRORS[name]
    assert differences(cell(*documented, tags=RAISES), cell(*produced, tags=RAISES)) == []


def test_what_varies_is_a_time_or_a_message_and_no_error_type():
    assert differences(cell(TOOK, varies=TIMING), cell(printed("took 1234 ms\n"))) == []
    message = TIMING | {"pattern": r"KeyError: took \d+ ms"}
    documented = cell(raised("KeyError", "took 5 ms"), tags=RAISES, varies=message)
    assert differences(documented, cell(raised("KeyError", "took 6 ms"))) == []
    assert differences(documented, cell(raised("TypeError", "took 6 ms")))


def test_difference_shows_both_sides_where_they_part():
    before, after = cell(printed("x" * 200 + "1.25\n")), cell(printed("x" * 200 + "1.26\n"))
    (line,) = differences(before, after)
    assert "1.25" in line and "1.26" in line


def test_a_temporary_file_keeps_its_name_within_the_folder():
    before, after = cell(result("'/tmp/tmpa/step_3'")), cell(result("'/tmp/tmpa/step_4'"))
    assert differences(before, after)


def test_unknown_mode_is_refused():
    with pytest.raises(ValueError, match="unknown mode 'loose'"):
        differences(cell(), cell(), mode="loose")


NEARLY = [
    ("loss 0.2134", "loss 0.2135", True),
    ("loss 0.2134", "loss 0.2138", False),
    ("[ 1.5     -2.25e-03]", "[1.5      -2.251e-03]", True),
    ("1.0000", "1.0009", True),
    ("1.0000", "1.0020", False),
    ("epoch 3", "epoch 4", False),
    ("0.5000", "nan", False),
    ("0.5000", "0.5", True),
    ("f32[3]", "f32[4]", False),
]


@pytest.mark.parametrize(("documented", "produced", "same"), NEARLY)
def test_tolerant_mode_lets_only_the_last_digits_differ(documented, produced, same):
    cells = cell(printed(documented)), cell(printed(produced))
    assert differences(*cells), "the pinned mode is exact"
    assert (differences(*cells, mode="tolerant") == []) == same


def test_tolerant_mode_keeps_the_type_and_the_first_words_of_an_error():
    documented = cell(raised("TypeError", "JAX arrays are immutable, so no"), tags=RAISES)
    same = cell(raised("TypeError", "JAX arrays are immutable. No"), tags=RAISES)
    other = cell(raised("TypeError", "numbers are immutable, so no"), tags=RAISES)
    kind = cell(raised("ValueError", "JAX arrays are immutable, so no"), tags=RAISES)
    assert not differences(documented, same, mode="tolerant")
    assert differences(documented, other, mode="tolerant")
    assert differences(documented, kind, mode="tolerant")


def test_text_of_a_cell_is_all_it_prints():
    outputs = [printed("a\n"), printed("b\n"), shown(picture()), raised("KeyError", "c")]
    assert text_of(outputs) == "a\nb\nKeyError: c"


FRAMES = [
    "\x1b[36mCell\x1b[39m In[1], line 1",
    "\x1b[36mFile \x1b[39m/home/a/lib/python3.11/site-packages/jax/x.py:7",
    "    \x1b[31m[... skipping hidden 3 frame]\x1b[39m",
    "E: in /home/a/lib/python3.11/site-packages/jax/x.py",
]


def test_clean_outputs_name_no_machine_and_change_nothing_else():
    outputs = [
        printed("1/2\r2/2\n"),
        printed("/home/a/site-packages/jax/x.py: y\n"),
        raised("E", "no", *FRAMES),
    ]
    before = [dict(one) for one in outputs]
    cleaned = clean_outputs(outputs)
    assert cleaned[0].text == "2/2\nsite-packages/jax/x.py: y\n"
    assert cleaned[1].traceback == [FRAMES[0], "E: in site-packages/jax/x.py"]
    assert [dict(one) for one in outputs] == before
    assert clean_outputs(cleaned) == cleaned


# As IPython writes it, with its colours.
FRAME = "\x1b[36mCell\x1b[39m\x1b[36m \x1b[39m\x1b[32mIn[{}]\x1b[39m, line 1\n----> \x1b[32m1\x1b[39m step(x)\n"


def notebook(*cells, kernel="python3"):
    return nbformat.v4.new_notebook(
        cells=list(cells), metadata={"kernelspec": {"name": kernel, "display_name": "x"}}
    )


def test_lint_accepts_what_the_writer_writes():
    error = cell(raised("E", "no", "Cell In[2], line 1"), tags=RAISES, count=2)
    prose = nbformat.v4.new_markdown_cell("# 1. Title")
    assert faults_in(notebook(prose, cell(result("1")), error)) == []


@pytest.mark.parametrize(
    ("faulty", "message"),
    [
        (notebook(cell(count=None)), "cell 1 ('step(x)') was never run"),
        (notebook(cell(), cell(count=3)), "has execution count 3, expected 2"),
        (notebook(cell(), cell(result("1"), count=2)), "has a result numbered 1, expected 2"),
        (notebook(cell(tags=["skip-execution"])), "unknown tag 'skip-execution'"),
        (notebook(cell(), kernel="julia-1.10"), "is for the kernel 'julia-1.10', not 'python3'"),
        (notebook(cell(printed("/tmp/ipykernel_1/2.py:3: x"))), "a path of the machine"),
        (
            notebook(cell(raised("E", "no", "Cell In[7], line 1"), tags=RAISES)),
            "has a traceback of cell In[7], expected In[1]",
        ),
        (
            notebook(
                cell(),
                cell(raised("E", "no", FRAME.format(2), FRAME.format(7)), tags=RAISES, count=2),
            ),
            "has a traceback whose line 1 is no line of In[7]",
        ),
    ],
)
def test_lint_catches(faulty, message):
    (line,) = faults_in(faulty)
    assert message in line


def test_lint_catches_timing_and_missing_id():
    timed = cell()
    timed.metadata["execution"] = {"shell.execute_reply": "2026"}
    faulty = notebook(timed)
    timed.pop("id")
    assert faults_in(faulty) == [
        "cell 1 ('step(x)') has no id",
        "cell 1 ('step(x)') keeps 'execution' of a run",
    ]
