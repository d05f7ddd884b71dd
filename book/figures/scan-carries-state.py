"""Explicit state, by hand and by scan."""

import jax
import jax.numpy as jnp


def running_sum(state: jax.Array, x: jax.Array) -> tuple[jax.Array, jax.Array]:
    """The new sum, as new state and as output."""
    total = state + x  #: add
    return total, total


xs = jnp.array([10, 20, 30])  #: data
state = jnp.int32(0)  #: start

state, output = running_sum(state, xs[0])  #: first
_, output = running_sum(state, xs[1])  #: dropped
state, output = running_sum(state, xs[2])  #: third

state, outputs = jax.lax.scan(running_sum, jnp.int32(0), xs)  #: scan
