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
        return nn.jit(Layer)(name="layer")(x)


for x in xs:
    run(Model(), x)
print(stats["layer"]["total"])


# %% grad
class Model(nn.Module):
    @nn.compact
    def __call__(self, x):
        layer = Layer(name="layer")
        return nn.grad(lambda layer, x: layer(x) ** 2, layer, x)


for x in xs:
    run(Model(), x)
print(stats["layer"]["total"])


# %% vmap
class Model(nn.Module):
    @nn.compact
    def __call__(self, xs):
        rows = nn.vmap(Layer, variable_axes={"batch_stats": None})
        return rows(name="layer")(xs)


run(Model(), xs)
print(stats["layer"]["total"])


# %% vmap: fix
class Layer(nn.Module):
    @nn.compact
    def __call__(self, x):
        total = self.variable("batch_stats", "total", jnp.zeros, ())
        y = w * x
        total.value += jax.lax.psum(y, "i")
        return y


class Model(nn.Module):
    @nn.compact
    def __call__(self, xs):
        axes = {"batch_stats": None}
        rows = nn.vmap(Layer, variable_axes=axes, axis_name="i")
        return rows(name="layer")(xs)


run(Model(), xs)
print(stats["layer"]["total"])


# %% scan
class Model(nn.Module):
    @nn.compact
    def __call__(self, xs):
        layer = Layer(name="layer")
        loop = nn.scan(
            lambda layer, carry, x: (carry, layer(x)),
            variable_carry="batch_stats",
        )
        return loop(layer, None, xs)


run(Model(), xs)
print(stats["layer"]["total"])


# %% while_loop
class Model(nn.Module):
    @nn.compact
    def __call__(self, xs):
        def body(layer, i):
            layer(xs[i])
            return i + 1

        layer, carried = Layer(name="layer"), "batch_stats"
        return nn.while_loop(
            lambda _, i: i < 4, body, layer, 0, carry_variables=carried
        )


run(Model(), xs)
print(stats["layer"]["total"])


# %% cond
class Model(nn.Module):
    @nn.compact
    def __call__(self, x):
        layer = Layer(name="layer")
        return nn.cond(
            x > 2, lambda layer, x: layer(x), lambda layer, x: x, layer, x
        )


for x in xs:
    run(Model(), x)
print(stats["layer"]["total"])


# %% checkpoint
class Model(nn.Module):
    @nn.compact
    def __call__(self, x):
        return nn.remat(Layer)(name="layer")(x)


def loss(scale, stats, x):
    variables = {"batch_stats": stats}
    y, new = Model().apply(variables, scale * x, mutable=["batch_stats"])
    return y**2, new["batch_stats"]


for x in xs:
    grads, stats = jax.grad(loss, has_aux=True)(1.0, stats, x)
print(stats["layer"]["total"])


# %% custom_vjp
class Model(nn.Module):
    @nn.compact
    def __call__(self, x):
        def forward(layer, x):
            return layer(x), None

        def backward(saved, g):
            return {}, w * g

        double = nn.custom_vjp(lambda layer, x: layer(x), forward, backward)
        return double(Layer(name="layer"), x)


for x in xs:
    run(Model(), x)
print(stats["layer"]["total"])
