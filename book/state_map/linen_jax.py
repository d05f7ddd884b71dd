# %% set up
import flax.linen as nn


class Layer(nn.Module):
    @nn.compact
    def __call__(self, x):
        total = self.variable("batch_stats", "total", jnp.zeros, ())
        y = w * x
        total.value += y.sum()
        return y


def run(model, x):
    global stats
    variables = {"batch_stats": stats}
    y, new = model.apply(variables, x, mutable=["batch_stats"])
    stats = new["batch_stats"]
    return y


stats = {"layer": {"total": jnp.zeros(())}}


# %% plain
class Model(nn.Module):
    @nn.compact
    def __call__(self, x):
        return Layer(name="layer")(x)


for x in xs:
    run(Model(), x)
print(stats["layer"]["total"])


# %% plain: cond
class Model(nn.Module):
    @nn.compact
    def __call__(self, x):
        layer = Layer(name="layer")
        return layer(x) if x > 2 else x


for x in xs:
    run(Model(), x)
print(stats["layer"]["total"])


# %% jit
class Model(nn.Module):
    @nn.compact
    def __call__(self, x):
        layer = Layer(name="layer")
        return jax.jit(lambda x: layer(x))(x)


for x in xs:
    run(Model(), x)
print(stats["layer"]["total"])


# %% grad
class Model(nn.Module):
    @nn.compact
    def __call__(self, x):
        layer = Layer(name="layer")
        return jax.grad(lambda x: layer(x) ** 2)(x)


for x in xs:
    run(Model(), x)
print(stats["layer"]["total"])


# %% vmap
class Model(nn.Module):
    @nn.compact
    def __call__(self, xs):
        layer = Layer(name="layer")
        return jax.vmap(lambda x: layer(x))(xs)


run(Model(), xs)
print(stats["layer"]["total"])


# %% scan
class Model(nn.Module):
    @nn.compact
    def __call__(self, xs):
        layer = Layer(name="layer")
        return jax.lax.scan(lambda carry, x: (carry, layer(x)), None, xs)


run(Model(), xs)
print(stats["layer"]["total"])


# %% while_loop
class Model(nn.Module):
    @nn.compact
    def __call__(self, xs):
        layer = Layer(name="layer")

        def body(carry):
            i, y = carry
            return i + 1, layer(xs[i])

        return jax.lax.while_loop(lambda c: c[0] < 4, body, (0, 0.0))


run(Model(), xs)
print(stats["layer"]["total"])


# %% cond
class Model(nn.Module):
    @nn.compact
    def __call__(self, x):
        layer = Layer(name="layer")
        return jax.lax.cond(x > 2, lambda x: layer(x), lambda x: x, x)


for x in xs:
    run(Model(), x)
print(stats["layer"]["total"])


# %% checkpoint
class Model(nn.Module):
    @nn.compact
    def __call__(self, x):
        layer = Layer(name="layer")
        return jax.checkpoint(lambda x: layer(x))(x)


for x in xs:
    run(Model(), x)
print(stats["layer"]["total"])


# %% shard_map
class Model(nn.Module):
    @nn.compact
    def __call__(self, xs):
        layer = Layer(name="layer")
        return jax.shard_map(
            lambda x: layer(x), mesh=mesh, in_specs=P("i"), out_specs=P("i")
        )(xs)


run(Model(), xs)
print(stats["layer"]["total"])


# %% custom_vjp
class Model(nn.Module):
    @nn.compact
    def __call__(self, x):
        layer = Layer(name="layer")
        double = jax.custom_vjp(lambda x: layer(x))
        double.defvjp(lambda x: (double(x), None), lambda _, g: (w * g,))
        return jax.grad(double)(x)


for x in xs:
    run(Model(), x)
print(stats["layer"]["total"])
