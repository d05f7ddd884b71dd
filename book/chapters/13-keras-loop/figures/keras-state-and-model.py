"""A Keras loop of chapter 13: the weight in the state and the weight in the model's variable."""

import os

os.environ["KERAS_BACKEND"] = "jax"

import jax
import jax.numpy as jnp
import keras

layer = keras.layers.Dense(1, use_bias=False)
model = keras.Sequential([keras.Input((1,)), layer])
weight = model.trainable_variables[0]
weight.assign([[0.0]])


@jax.jit
def step(state, x, y):
    def compute_loss(params):
        predicted, _ = model.stateless_call(params, [], x, training=True)
        return jnp.mean((predicted - y) ** 2)

    loss, grads = jax.value_and_grad(compute_loss)(state)
    return [state[0] - 0.25 * grads[0]], loss


x, y = jnp.ones((4, 1)), jnp.full((4, 1), 8.0)
state = [jnp.copy(weight.value)]  #: out

state, loss = step(state, x, y)  #: first
state, loss = step(state, x, y)  #: second
state, loss = step(state, x, y)  #: third
model(x)[0]  #: asked

weight.assign(jnp.copy(state[0]))  #: back
model(x)[0]  #: asked-again
state, loss = step(state, x, y)  #: fourth
