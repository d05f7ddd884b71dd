"""When jit traces again: by shape, dtype, static value and weak type."""

import jax
import jax.numpy as jnp


def power(x: jax.Array, n: int) -> jax.Array:
    """The n-th power of x; n is static."""
    return x**n  #: trace


power = jax.jit(power, static_argnames="n")

power(jnp.ones(3), n=2)  #: first
power(jnp.zeros(3), n=2)  #: value
power(jnp.ones(4), n=2)  #: shape
power(jnp.ones(3, "int32"), n=2)  #: dtype
power(jnp.ones(3), n=3)  #: static
power(jnp.zeros(3), n=2)  #: known

power(2.0, n=2)  #: number
power(jnp.float32(2), n=2)  #: scalar
