"""The style sheets of the built site hold what its pages need, and whose they are."""

import pytest

from workshop.site.light_styles import needed

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


def test_the_sheets_name_their_authors_and_load_no_other(site):
    for name, author in (("theme", "Sphinx team"), ("pydata-sphinx-theme", "Bootstrap")):
        sheet = (site / f"_static/styles/{name}.css").read_text("utf8")
        assert author in sheet and "@import" not in sheet
