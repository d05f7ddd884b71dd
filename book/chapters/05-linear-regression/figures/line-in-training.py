"""The line of chapter 5 in training: parameters, gradients and loss at every 20th step."""

from typing import NamedTuple

import jax
import jax.numpy as jnp


class Params(NamedTuple):
    """The state of a linear regression."""

    weight: jax.Array
    bias: jax.Array


def loss(params: Params, batch) -> jax.Array:
    """Return the mean squared error on a batch (xs, ys)."""
    xs, ys = batch
    return jnp.mean((params.weight * xs + params.bias - ys) ** 2)


@jax.jit
def update(params: Params, batch, learning_rate: float = 0.005):
    """One step of gradient descent; return new params and the old loss."""
    value, grads = jax.value_and_grad(loss)(params, batch)
    new_params = jax.tree.map(
        lambda param, grad: param - learning_rate * grad, params, grads
    )
    return new_params, value


def init(key: jax.Array) -> Params:
    """Return random parameters."""
    weight_key, bias_key = jax.random.split(key)
    return Params(jax.random.normal(weight_key), jax.random.normal(bias_key))


def make_data(key: jax.Array, count: int = 128):
    """Return noisy points on the line y = 2x - 1."""
    x_key, noise_key = jax.random.split(key)
    xs = jax.random.normal(x_key, (count,))
    noise = 0.5 * jax.random.normal(noise_key, (count,))
    return xs, 2 * xs - 1 + noise


class Noted(NamedTuple):
    """What the figure shows of one step."""

    params: Params
    grads: Params


data_key, init_key = jax.random.split(jax.random.key(42))
batch, params = make_data(data_key), init(init_key)

at = range(0, 1001, 20)
states, losses = [], []
for step in range(1001):
    if step in at:
        states.append(Noted(params, jax.grad(loss)(params, batch)))
    params, value = update(params, batch)
    if step in at:
        losses.append(value)
