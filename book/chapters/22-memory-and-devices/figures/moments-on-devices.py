"""How much of Adam's state each of eight devices has, by how it was made."""

from workshop.picture import Picture, fill, said

HEADS = {
    "direct": "tx.init(params)",
    "jitted": "jax.jit(tx.init)(params)",
    "told": "jax.jit(tx.init, out_shardings=…)(params)",
}
SHORT = HEADS | {"told": "jit, out_shardings=…"}
NUMBERED = {"ko": "디바이스 {n}", "en": "device {n}"}
MIB = {"ko": "디바이스별 MiB", "en": "MiB on each device"}


def values() -> dict:
    """Make the state in three ways from parameters that are split; measure it on each device."""
    import jax
    import jax.numpy as jnp
    import optax
    from jax.sharding import AxisType, NamedSharding
    from jax.sharding import PartitionSpec as P

    jax.config.update("jax_num_cpu_devices", 8)
    mesh = jax.make_mesh((8,), ("data",), axis_types=(AxisType.Auto,))
    split, whole = NamedSharding(mesh, P("data")), NamedSharding(mesh, P())
    params = {
        "hidden": jnp.ones((512, 1024)),
        "output": jnp.ones(1024, jnp.float32),
    }
    params = jax.device_put(params, split)
    tx = optax.adam(2.5e-3)
    shardings = jax.tree.map(
        lambda leaf: split if leaf.ndim else whole,
        jax.eval_shape(tx.init, params),
    )

    def held(tree) -> list[str]:
        bytes_of = dict.fromkeys(jax.devices(), 0)
        for leaf in jax.tree.leaves(tree):
            for shard in leaf.addressable_shards:
                bytes_of[shard.device] += shard.data.nbytes
        return [f"{n / 2**20:.2f}" for n in bytes_of.values()]

    return {
        "direct": held(tx.init(params)),
        "jitted": held(jax.jit(tx.init)(params)),
        "told": held(jax.jit(tx.init, out_shardings=shardings)(params)),
    }


def draw(picture: Picture, values: dict) -> None:
    """A row a way with a box a device; the fuller, the taller."""
    narrow = picture.narrow
    heads = SHORT if narrow else HEADS
    step = 44.5 if narrow else 86
    wide = 42 if narrow else 74
    picture.text(0, 16, MIB, "small muted")
    y = 30
    for name, sizes in values.items():
        picture.text(0, y + 16, heads[name], "strong small")
        tallest = max(22 + 12 * float(size) for size in sizes)
        bottom = y + 28 + tallest
        for device, size in enumerate(sizes):
            tall = 22 + 12 * float(size)
            full = float(size) > 0
            picture.box(
                1 + device * step,
                bottom - tall,
                wide,
                tall,
                size,
                "state" if full else "plain",
                "strong small" if full else "small muted",
                round_by=3,
            )
        y = bottom + 26
    for device in range(8):
        picture.text(
            1 + device * step + wide / 2,
            y - 8,
            str(device) if narrow else fill(NUMBERED, n=device),
            "small muted",
            "middle",
        )
    if narrow:
        picture.text(0, y + 12, said("device"), "small muted")
