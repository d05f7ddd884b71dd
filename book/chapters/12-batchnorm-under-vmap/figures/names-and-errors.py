"""What comes of an axis name in BatchNorm or in vmap, and of out_axes: errors, zeros, statistics."""

from workshop.picture import Picture

PLACES = [
    ({"ko": "이름 없음", "en": "no name"}, None, None),
    ({"ko": "`vmap`에만", "en": "in `vmap` alone"}, None, "batch"),
    ({"ko": "`BatchNorm`에만", "en": "in `BatchNorm` alone"}, "batch", None),
    ({"ko": "두 곳 모두", "en": "in both"}, "batch", "batch"),
]
AXES = ["out_axes=0", "out_axes=(0, None)"]
ZEROS = {"ko": "출력이 모두 0", "en": "outputs are 0"}
ROWS = {"ko": "통계량\n{rows}행", "en": "{rows} rows of\nstatistics"}
ONE = {"ko": "통계량\n한 행", "en": "one row of\nstatistics"}


def values() -> dict:
    """Normalize 128 examples in each of the eight ways."""
    import jax
    import jax.numpy as jnp
    from flax import linen as nn

    batch = 3.0 + jax.random.normal(jax.random.key(2), (128, 5))
    variables = nn.BatchNorm(True).init(jax.random.key(1), batch[0])

    def outcome(in_module, in_vmap, out_axes) -> str:
        norm = nn.BatchNorm(False, axis_name=in_module)
        call = lambda x: norm.apply(variables, x, mutable=["batch_stats"])
        mapped = jax.vmap(call, out_axes=out_axes, axis_name=in_vmap)
        try:
            output, new = mapped(batch)
        except (NameError, ValueError) as error:
            return type(error).__name__
        if bool((output == 0).all()):
            return "zeros"
        rows = jnp.atleast_2d(new["batch_stats"]["mean"]).shape[0]
        return "one" if rows == 1 else f"rows {rows}"

    return {
        "outcomes": [
            [outcome(module, vmap, axes) for axes in (0, (0, None))]
            for _, module, vmap in PLACES
        ]
    }


def draw(picture: Picture, values: dict) -> None:
    """A row for each place of the name, a column for each `out_axes`."""
    label, wide = (98, 128) if picture.narrow else (170, 240)
    row, head, box = 78, 44, (112 if picture.narrow else 170)
    for place, axes in enumerate(AXES):
        middle = label + wide * (place + 0.5)
        look = "strong small" if picture.narrow else "strong"
        if picture.narrow:
            axes = axes.replace("=", "=\n")
        picture.text(middle, 16, axes, look, "middle")
    for number, (words, _, _) in enumerate(PLACES):
        y = head + row * number
        picture.line((0, y), (label + wide * 2, y))
        picture.text(0, y + 32, narrowed(words, picture.narrow), "small")
        for place, came in enumerate(values["outcomes"][number]):
            x = label + wide * (place + 0.5) - box / 2
            words, kind = said(came)
            picture.box(x, y + 10, box, 42, words, kind, "small")


def narrowed(words: dict, narrow: bool) -> dict:
    """The label of a row, its lines parted where there is little room."""
    if not narrow:
        return words
    return {
        "ko": words["ko"].replace("`에", "`\n에"),
        "en": words["en"].replace(" alone", "\nalone"),
    }


def said(came: str) -> tuple:
    """The words and the kind of a box."""
    if came == "zeros":
        return ZEROS, "lost"
    if came == "one":
        return ONE, "state"
    if came.startswith("rows"):
        rows = came.split()[1]
        return {k: text.format(rows=rows) for k, text in ROWS.items()}, "data"
    return came, "plain"
