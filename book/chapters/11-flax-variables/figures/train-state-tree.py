"""The pytree of Flax's TrainState with batch statistics and Adam."""

from typing import Any

import jax
import jax.numpy as jnp
import optax
from flax import linen as nn
from flax.training import train_state


class Normalized(nn.Module):
    """Batch normalization alone."""

    @nn.compact
    def __call__(self, x: jax.Array, train: bool) -> jax.Array:
        return nn.BatchNorm(use_running_average=not train, momentum=0.9)(x)


class State(train_state.TrainState):
    """A TrainState with one more field."""

    batch_stats: Any


normalized = Normalized()
x = jnp.array([[1.0], [2.0], [3.0], [6.0]])
variables = normalized.init(jax.random.key(0), x, train=False)
state = State.create(
    apply_fn=normalized.apply,
    params=variables["params"],
    batch_stats=variables["batch_stats"],
    tx=optax.adam(1e-2),
)
