"""The pytree of chapter 7's MLP: three layers in a registered dataclass."""

import dataclasses
from collections.abc import Callable
from typing import NamedTuple

import jax
import jax.numpy as jnp


class Linear(NamedTuple):
    """A linear function: weight and bias."""

    weight: jax.Array
    bias: jax.Array


@jax.tree_util.register_dataclass
@dataclasses.dataclass(frozen=True)
class MLP:
    """Layers to train, and the activation between them."""

    layers: tuple[Linear, ...]
    activation: Callable = dataclasses.field(metadata={"static": True})


def init(key: jax.Array, sizes: tuple[int, ...]) -> MLP:
    """An MLP with random weights, a key for each layer."""
    keys = jax.random.split(key, len(sizes) - 1)
    weights = [
        jax.random.normal(key, (n_in, n_out)) / jnp.sqrt(n_in)
        for key, n_in, n_out in zip(keys, sizes[:-1], sizes[1:], strict=True)
    ]
    layers = tuple(Linear(w, jnp.zeros(w.shape[1])) for w in weights)
    return MLP(layers, jnp.tanh)


init_key, noise_key = jax.random.split(jax.random.key(0))
params = init(init_key, (1, 16, 16, 1))
