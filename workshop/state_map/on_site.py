"""The directive `{state-map}`: the parts of the page of the state map, from programs and runs."""

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.util.docutils import SphinxDirective

from workshop.layout import language_of
from workshop.state_map.page import PARTS
from workshop.state_map.programs import SOURCE
from workshop.state_map.run import RECORDS


class StateMap(SphinxDirective):
    """A part of the page: `picture`, `differences` or `kinds`."""

    required_arguments = 1

    def run(self):
        """Read the part's Markdown in the language of the page."""
        part = self.arguments[0]
        if part not in PARTS:
            raise self.error(f"state-map: unknown part {part!r}; known: {', '.join(PARTS)}")
        for path in [*SOURCE.iterdir(), *RECORDS.glob("*.json")]:
            self.env.note_dependency(str(path))
        text = PARTS[part](language_of(self.env.docname))
        if part == "picture":
            return [nodes.raw("", text, format="html")]
        container = nodes.section() if part == "kinds" else nodes.container()
        lines = StringList(text.splitlines(), str(SOURCE))
        self.state.nested_parse(lines, 0, container, match_titles=part == "kinds")
        return container.children


def setup(app):
    """Register the directive and its style."""
    app.add_css_file("state-map.css")
    app.add_directive("state-map", StateMap)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
