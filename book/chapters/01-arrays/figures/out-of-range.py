"""Where reads and writes at six indices of an array of three elements land."""

from workshop.picture import Picture

INDEX = {"ko": "인덱스", "en": "index"}
READ = {"ko": "읽기", "en": "read"}
WRITE = {"ko": "쓰기", "en": "write"}


def values() -> list:
    """Read and write at each index; note the element that was read or changed, or none."""
    import jax.numpy as jnp

    x = jnp.array([10, 20, 30])
    rows = []
    for i in (-4, -3, -1, 0, 2, 3):
        read = x.tolist().index(int(x[i]))
        written = x.at[i].set(7).tolist()
        changed = written.index(7) if 7 in written else None
        rows.append({"index": str(i), "read": read, "write": changed})
    return rows


def draw(picture: Picture, values: list) -> None:
    """A row an index; the elements are columns, once for reads and once for writes."""
    narrow = picture.narrow
    cell, wide, first, gap = (44, 43, 38, 4) if narrow else (74, 58, 92, 24)
    half = 3 * cell
    second = first + half + gap
    nowhere = picture.width - second - half
    row, head = 50, 62
    height = head + row * len(values)
    picture.lane(first, 0, half, height)
    picture.lane(second, 0, picture.width - second, height)
    picture.text(0, 46, INDEX, "small muted")
    picture.text(first + half / 2, 22, READ, "strong small", "middle")
    picture.text(second + half / 2, 22, WRITE, "strong small", "middle")
    for left in (first, second):
        for place in range(3):
            middle = left + cell * (place + 0.5)
            picture.text(middle, 46, f"x[{place}]", "small muted", "middle")
    for place, found in enumerate(values):
        y = head + row * place
        picture.text(0, y + 20, found["index"], "strong")
        for left, what in ((first, READ), (second, WRITE)):
            hit = found["read" if what is READ else "write"]
            if hit is None:
                x, width = second + half, min(nowhere - 8, 74)
                left, kind = x + (nowhere - width) / 2, "lost"
            else:
                left, width = left + cell * hit + (cell - wide) / 2, wide
                kind = "data" if what is READ else "back"
            picture.box(left, y, width, 28, what, kind, "small")
