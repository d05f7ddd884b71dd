"""The mean of each device's shard, and the mean after pmean."""

from workshop.picture import Picture, said

HEADS = [
    {"ko": "샤드", "en": "shard"},
    "x.mean()",
    "pmean(x.mean())",
]
SHORT = ["pmean"]
APART = {"ko": "모두 다름", "en": "all different"}
ALIKE = {"ko": "모두 같음", "en": "all the same"}


def values() -> dict:
    """Run the chapter's two means on eight devices; read each device's value."""
    import jax
    import jax.numpy as jnp
    from jax.sharding import NamedSharding
    from jax.sharding import PartitionSpec as P

    jax.config.update("jax_num_cpu_devices", 8)
    mesh = jax.make_mesh((8,), ("data",))
    split = NamedSharding(mesh, P("data"))
    examples = jax.device_put(jnp.arange(16.0), split)

    def on_devices(function):
        return jax.shard_map(
            function,
            mesh=mesh,
            in_specs=P("data"),
            out_specs=P(),
            check_vma=False,
        )(examples)

    def seen(array) -> list[str]:
        return [f"{float(s.data):.1f}" for s in array.addressable_shards]

    shards = [
        ", ".join(f"{v:.0f}" for v in s.data)
        for s in examples.addressable_shards
    ]
    local = on_devices(lambda x: x.mean())
    mean = on_devices(lambda x: jax.lax.pmean(x.mean(), "data"))
    return {"shards": shards, "local": seen(local), "mean": seen(mean)}


def draw(picture: Picture, values: dict) -> None:
    """A row a device; between the two means the devices exchange values."""
    narrow = picture.narrow
    lefts, wide = ([54, 146, 270], 78) if narrow else ([110, 270, 530], 130)
    heads = HEADS[:2] + SHORT if narrow else HEADS
    for left, words in zip(lefts, heads, strict=True):
        picture.text(left + wide / 2, 16, words, "strong small", "middle")
    picture.text(0, 16, said("device"), "small muted")
    row, tall = 32, 26
    first, last = 28 + tall / 2, 28 + 7 * row + tall / 2
    middle = (lefts[1] + wide + lefts[2]) / 2
    rows = zip(values["shards"], values["local"], values["mean"], strict=True)
    for device, (shard, local, mean) in enumerate(rows):
        y = 28 + device * row
        picture.text(14, y + 18, str(device), "small")
        held = picture.box(lefts[0], y, wide, tall, shard, "data", "small")
        own = picture.box(lefts[1], y, wide, tall, local, "plain", "strong")
        same = picture.box(lefts[2], y, wide, tall, mean, "state", "strong")
        picture.arrow(
            (held.right[0] + 1, held.right[1]),
            (own.x - 2, own.left[1]),
            kind="data",
        )
        picture.arrow(own.right, (middle, own.right[1]), head=False)
        picture.arrow((middle, same.left[1]), (same.x - 2, same.left[1]))
    picture.arrow((middle, first), (middle, last), head=False)
    bottom = 28 + 8 * row + 14
    picture.text(lefts[1] + wide / 2, bottom, APART, "small muted", "middle")
    picture.text(lefts[2] + wide / 2, bottom, ALIKE, "small muted", "middle")
