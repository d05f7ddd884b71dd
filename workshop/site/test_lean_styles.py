"""The style sheets of the built site hold what its pages need, and whose they are."""

import re
from types import SimpleNamespace

import pytest
from sphinx.errors import ExtensionError

from workshop.site.lean_styles import ONE_SHEET, join_sheets, needed

RULES = (
    ".a,.b > .c{x:1}.a:not(.c),[href$='.c']{x:2}@media print{.c{x:3}a:is(.a,.c){x:4}}"
    r"@media screen{.c{x:5}}.w-25\%{x:6}@font-face{x:7}"
)


@pytest.mark.parametrize(
    ("names", "kept"),
    [
        ({"a"}, ".a{x:1}.a:not(.c),[href$='.c']{x:2}@media print{a:is(.a,.c){x:4}}@font-face{x:7}"),
        ({"a", "b", "c", "w-25%"}, RULES),
    ],
)
def test_a_rule_stays_where_pages_have_its_classes(names, kept):
    assert needed(RULES, names) == kept


def test_the_one_sheet_names_its_authors_and_what_lies_beside_it(site):
    sheet = (site / "_static" / ONE_SHEET).read_text("utf8")
    assert "Sphinx team" in sheet and "Bootstrap" in sheet and "@import" not in sheet
    files = {file for file in re.findall(r"""url\(["']?([^"')]+)""", sheet) if ":" not in file}
    assert files and all((site / "_static" / file).is_file() for file in files), files


def test_pages_that_name_different_sheets_are_refused(tmp_path):
    static = tmp_path / "_static"
    static.mkdir()
    for name in ("a", "b"):
        (static / f"{name}.css").write_text(f".{name}{{x:1}}")
    link = '<link rel="stylesheet" href="_static/%s.css?v=1">'
    (tmp_path / "1.html").write_text(link % "a" + link % "b")
    (tmp_path / "2.html").write_text(link % "b")
    app = SimpleNamespace(outdir=tmp_path, builder=SimpleNamespace(format="html"))
    with pytest.raises(ExtensionError, match="2.html"):
        join_sheets(app, None)
    (tmp_path / "2.html").write_text(link % "a" + f"<noscript>{link % 'b'}</noscript>" + link % "b")
    join_sheets(app, None)
    assert (static / ONE_SHEET).read_text() == ".a{x:1}\n.b{x:1}"
    assert (tmp_path / "2.html").read_text().count(ONE_SHEET) == 1
    assert "b.css" in (tmp_path / "2.html").read_text()
