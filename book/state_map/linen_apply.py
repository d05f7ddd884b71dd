# %% set up
import flax.linen as nn


class Layer(nn.Module):
    @nn.compact
    def __call__(self, x):
        total = self.variable("batch_stats", "total", jnp.zeros, ())
        y = w * x
        total.value += y.sum()
        return y


layer = Layer()
stats = {"total": jnp.zeros(())}


def step(stats, x):
    variables = {"batch_stats": stats}
    y, new = layer.apply(variables, x, mutable=["batch_stats"])
    return new["batch_stats"], y


# %% plain
for x in xs:
    stats, y = step(stats, x)
print(stats["total"])

# %% plain: cond
for x in xs:
    if x > 2:
        stats, y = step(stats, x)
print(stats["total"])

# %% jit
jitted = jax.jit(step)
for x in xs:
    stats, y = jitted(stats, x)
print(stats["total"])


# %% grad
def loss(scale, stats, x):
    stats, y = step(stats, scale * x)
    return y**2, stats


for x in xs:
    grads, stats = jax.grad(loss, has_aux=True)(1.0, stats, x)
print(stats["total"])

# %% vmap
stats, ys = jax.vmap(step, in_axes=(None, 0))(stats, xs)
print(stats["total"])


# %% vmap: fix
class Layer(nn.Module):
    @nn.compact
    def __call__(self, x):
        total = self.variable("batch_stats", "total", jnp.zeros, ())
        y = w * x
        total.value += jax.lax.psum(y, "i")
        return y


layer, axes = Layer(), (None, 0)
mapped = jax.vmap(step, in_axes=axes, out_axes=axes, axis_name="i")
stats, ys = mapped(stats, xs)
print(stats["total"])

# %% scan
stats, ys = jax.lax.scan(step, stats, xs)
print(stats["total"])


# %% while_loop
def body(carry):
    i, stats = carry
    stats, y = step(stats, xs[i])
    return i + 1, stats


i, stats = jax.lax.while_loop(lambda carry: carry[0] < 4, body, (0, stats))
print(stats["total"])


# %% cond
def skip(stats, x):
    return stats, x


for x in xs:
    stats, y = jax.lax.cond(x > 2, step, skip, stats, x)
print(stats["total"])


# %% checkpoint
@jax.checkpoint
def loss(scale, stats, x):
    stats, y = step(stats, scale * x)
    return y**2, stats


for x in xs:
    grads, stats = jax.grad(loss, has_aux=True)(1.0, stats, x)
print(stats["total"])

# %% shard_map
sharded = jax.shard_map(
    step, mesh=mesh, in_specs=(P(), P("i")), out_specs=(P(), P("i"))
)
stats, ys = sharded(stats, xs)
print(stats["total"])


# %% shard_map: fix
class Layer(nn.Module):
    @nn.compact
    def __call__(self, x):
        total = self.variable("batch_stats", "total", jnp.zeros, ())
        y = w * x
        total.value += jax.lax.psum(y.sum(), "i")
        return y


layer = Layer()
sharded = jax.shard_map(
    step, mesh=mesh, in_specs=(P(), P("i")), out_specs=(P(), P("i"))
)
stats, ys = sharded(stats, xs)
print(stats["total"])


# %% custom_vjp
@jax.custom_vjp
def predict(x, stats):
    stats, y = step(stats, x)
    return y, stats


def forward(x, stats):
    return predict(x, stats), None


predict.defvjp(forward, lambda saved, g: (w * g[0], None))
for x in xs:
    grads, stats = jax.grad(predict, has_aux=True)(x, stats)
print(stats["total"])

# %% export
exported = export.export(jax.jit(step))(stats, xs[0])
for x in xs:
    stats, y = exported.call(stats, x)
print(stats["total"])
