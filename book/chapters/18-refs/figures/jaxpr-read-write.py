"""The jaxpr of increment as a graph: a read from the Ref outside, an addition, a write back."""

from workshop.picture import Picture

OUTSIDE = {"ko": "프로그램 밖의 Ref", "en": "the Ref, outside the program"}
PROGRAM = {"ko": "프로그램", "en": "the program"}
READS = {"ko": "읽기", "en": "read"}
WRITES = {"ko": "쓰기", "en": "write"}
INPUT = {"ko": "입력", "en": "input"}
NONE = {"ko": "결과 없음", "en": "no result"}


def values() -> dict:
    """Trace increment; note each operation, and call the compiled function twice."""
    import jax
    import jax.numpy as jnp

    def increment(n, amount):
        n[...] += amount

    n = jax.new_ref(jnp.int32(5))
    jaxpr = jax.make_jaxpr(increment)(n, jnp.int32(2))
    traced = int(n[...])
    call = jax.jit(increment)
    after = []
    for _ in range(2):
        call(n, jnp.int32(2))
        after.append(int(n[...]))
    return {
        "inputs": [str(v.aval) for v in jaxpr.jaxpr.invars],
        "operations": [e.primitive.name for e in jaxpr.jaxpr.eqns],
        "results": len(jaxpr.jaxpr.outvars),
        "seen": [traced, *after],
    }


def draw(picture: Picture, values: dict) -> None:
    """The Ref above, the program below it; the write returns to the Ref."""
    assert values["results"] == 0
    step, wide = (112, 78) if picture.narrow else (190, 110)
    left = 20 if picture.narrow else 60
    picture.text(left, 18, OUTSIDE, "small muted")
    kind = values["inputs"][0].replace("int32", "i32")
    span = 2 * step + wide
    ref = picture.box(left, 30, span, 40, f"a: {kind}", "state", "strong")
    picture.lane(0, 114, picture.width, 196, deep=True)
    picture.text(16, 298, PROGRAM, "strong small")
    boxes = [
        picture.box(left + step * place, 174, wide, 34, name, round_by=17)
        for place, name in enumerate(values["operations"])
    ]
    read, add, write = boxes
    picture.arrow((read.top[0], ref.bottom[1]), read.top, kind="state")
    picture.arrow(write.top, (write.top[0], ref.bottom[1] + 2), kind="back")
    picture.text(read.top[0] + 10, 96, READS, "small muted")
    picture.text(write.top[0] - 10, 96, WRITES, "small muted", "end")
    picture.arrow(read.right, add.left, kind="data")
    picture.arrow(add.right, write.left, kind="data")
    middle = (read.right[0] + add.left[0]) / 2
    picture.text(middle, 183, "c", "small", "middle")
    middle = (add.right[0] + write.left[0]) / 2
    picture.text(middle, 183, "d", "small", "middle")
    data = picture.box(add.x, 250, wide, 34, "b: i32[]", "data", "small")
    picture.arrow(data.top, add.bottom, kind="data")
    picture.text(data.x - 10, 272, INPUT, "small muted", "end")
    picture.text(write.bottom[0], 272, NONE, "small muted", "middle")
