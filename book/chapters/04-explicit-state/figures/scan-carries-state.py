"""Explicit state, by hand and by scan."""

import jax
import jax.numpy as jnp


def lowest(state: jax.Array, loss: jax.Array) -> tuple[jax.Array, jax.Array]:
    """The lowest loss so far as new state; as output, is it this one?"""
    return jnp.minimum(state, loss), loss < state  #: compare


losses = jnp.array([0.5, 0.25, 0.375])  #: data
state = jnp.float32(jnp.inf)  #: start

state, output = lowest(state, losses[0])  #: first
_, output = lowest(state, losses[1])  #: dropped
state, output = lowest(state, losses[2])  #: third

state, outputs = jax.lax.scan(lowest, jnp.float32(jnp.inf), losses)  #: scan
