"""The pytree of a training state: an MLP of three layers in a NamedTuple."""

from typing import NamedTuple

import jax
import jax.numpy as jnp


class TrainingState(NamedTuple):
    """What the next step must know; the momentum is not made yet."""

    params: list[dict[str, jax.Array]]
    momentum: None
    step: jax.Array


def layer(key: jax.Array, n_in: int, n_out: int) -> dict[str, jax.Array]:
    """Weight and bias of one layer."""
    weight = jax.random.normal(key, (n_in, n_out)) / jnp.sqrt(n_in)
    return {"weight": weight, "bias": jnp.zeros(n_out)}


sizes = [(1, 16), (16, 16), (16, 1)]
keys = jax.random.split(jax.random.key(0), len(sizes))
params = [layer(key, *size) for key, size in zip(keys, sizes, strict=True)]

state = TrainingState(params, momentum=None, step=jnp.int32(0))
