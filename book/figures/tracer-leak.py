"""A tracer that leaks into an object, and what comes of it later."""

import jax
import jax.numpy as jnp


class ArrayCounter:
    """Counts in steps of any size and keeps the count in an array."""

    def __init__(self) -> None:
        self.n = jnp.int32(0)

    def count(self, step: jax.Array) -> jax.Array:
        """Add `step` and return the new count."""
        self.n = self.n + step  #: leak
        return self.n


counter = ArrayCounter()  #: make
count = jax.jit(counter.count)

count(jnp.int32(1))  #: first
count(jnp.int32(10))  #: second
counter.n + 1  #: use

counter.n = jnp.int32(7)  #: reset
count(jnp.int32(1))  #: after-reset
