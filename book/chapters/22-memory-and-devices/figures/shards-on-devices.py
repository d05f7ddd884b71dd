"""The shards of one array on eight devices, for three partition specs."""

from workshop.picture import Picture, fill

ARRAY = {
    "ko": "칸의 숫자는 디바이스 번호, 배열의 shape은 `{shape}`",
    "en": "number: device; shape of the array: `{shape}`",
}
ARRAY_NARROW = {
    "ko": "숫자는 디바이스, 배열은 `{shape}`",
    "en": "number: device; array `{shape}`",
}
EACH = {"ko": "샤드마다 `{shape}`", "en": "each shard `{shape}`"}
SPECS = {"rows": 'P("data")', "columns": 'P(None, "data")', "whole": "P()"}


def values() -> dict:
    """Put an array on eight devices in three ways; note the parts of each."""
    import jax
    import jax.numpy as jnp
    from jax.sharding import NamedSharding
    from jax.sharding import PartitionSpec as P

    jax.config.update("jax_num_cpu_devices", 8)
    mesh = jax.make_mesh((8,), ("data",))
    x = jnp.ones((32, 512))
    found = {}
    for name, spec in (
        ("rows", P("data")),
        ("columns", P(None, "data")),
        ("whole", P()),
    ):
        put = jax.device_put(x, NamedSharding(mesh, spec))
        shards = sorted(
            put.addressable_shards,
            key=lambda s: [i.start or 0 for i in s.index] + [s.device.id],
        )
        found[name] = {
            "devices": [str(shard.device.id) for shard in shards],
            "shape": str(shards[0].data.shape),
        }
    return found


def draw(picture: Picture, values: dict) -> None:
    """A specification a column on a desk, a row on a phone."""
    x, y = 2, 606 if picture.narrow else 246
    words = ARRAY_NARROW if picture.narrow else ARRAY
    shape = values["whole"]["shape"]
    picture.text(x, y, fill(words, shape=shape), "small muted")
    for place, (name, spec) in enumerate(SPECS.items()):
        x, y = (0, place * 236) if picture.narrow else (place * 236, 0)
        found = values[name]
        picture.text(x + 2, y + 18, spec, "strong")
        words = fill(EACH, shape=found["shape"])
        picture.text(x + 2, y + 40, words, "small muted")
        left, top = x + 2, y + 52
        for number, device in enumerate(found["devices"]):
            if name == "rows":
                at = (left, top + number * 21, 168, 21)
            elif name == "columns":
                at = (left + number * 24, top, 24, 168)
            elif picture.narrow:
                at = (left + number * 44, top, 38, 54)
            else:
                column, row = number % 4, number // 4
                at = (left + column * 52, top + row * 62, 44, 54)
            picture.box(*at, device, "state", "small", round_by=2)
