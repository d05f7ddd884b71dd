"""Explicit state, by hand and by scan."""

import jax
import jax.numpy as jnp


def running_sum(state: jax.Array, x: jax.Array) -> tuple[jax.Array, jax.Array]:
    """The new sum, as new state and as output."""
    return state + x, state + x  #: add


data = jnp.array([10, 20, 30])  #: data
state = jnp.int32(0)  #: start

state, output = running_sum(state, data[0])  #: first
_, output = running_sum(state, data[1])  #: dropped
state, output = running_sum(state, data[2])  #: third

state, outputs = jax.lax.scan(running_sum, jnp.int32(0), data)  #: scan
