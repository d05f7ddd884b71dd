"""The layer of chapter 11, trained with Adam: every leaf of the state at every step."""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import optax
from flax import linen as nn


class BiasAdderWithRunningMean(nn.Module):
    """Subtract the running mean of the inputs and add a learned bias."""

    decay: float = 0.9

    @nn.compact
    def __call__(self, x: jax.Array) -> jax.Array:
        shape = x.shape[1:]
        bias = self.param("bias", nn.initializers.zeros, shape)
        mean = self.variable("batch_stats", "mean", jnp.zeros, shape)
        if not self.is_initializing():
            old, new = mean.value, x.mean(axis=0)
            mean.value = self.decay * old + (1 - self.decay) * new
        return x - mean.value + bias


class TrainingState(NamedTuple):
    """All that one training step hands to the next."""

    params: Any
    opt_state: Any
    batch_stats: Any


model, tx = BiasAdderWithRunningMean(), optax.adam(0.3)


@jax.jit
def step(
    state: TrainingState, x: jax.Array
) -> tuple[TrainingState, jax.Array]:
    """One step that moves the outputs towards 1."""

    def loss_fn(params):
        variables = {"params": params, "batch_stats": state.batch_stats}
        y, updated = model.apply(variables, x, mutable=["batch_stats"])
        return jnp.mean((y - 1.0) ** 2), updated["batch_stats"]

    value_and_grad = jax.value_and_grad(loss_fn, has_aux=True)
    (loss, batch_stats), grads = value_and_grad(state.params)
    updates, opt_state = tx.update(grads, state.opt_state, state.params)
    params = optax.apply_updates(state.params, updates)
    return TrainingState(params, opt_state, batch_stats), loss


data = 3.0 + 0.1 * jax.random.normal(jax.random.key(1), (51, 10, 1))
variables = model.init(jax.random.key(0), data[0])
params = variables["params"]
state = TrainingState(params, tx.init(params), variables["batch_stats"])

at = [*range(14), *range(14, 28, 2), *range(28, 50, 3)]
states, losses = [], []
for i, x in enumerate(data):
    adam = state.opt_state[0]
    shown = {
        "params": state.params,
        "mu": adam.mu,
        "batch_stats": state.batch_stats,
    }
    state, loss = step(state, x)
    if i in at:
        states.append(shown)
        losses.append(loss)
