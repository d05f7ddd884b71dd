"""A Keras loop of chapter 13: the weight in the state and the weight in the model's variable."""

import os

os.environ["KERAS_BACKEND"] = "jax"

from typing import NamedTuple

import jax
import jax.numpy as jnp
import keras


class TrainState(NamedTuple):
    """Everything that a training step reads and replaces."""

    params: list[jax.Array]
    opt_state: list[jax.Array]


def values(variables: list[keras.Variable]) -> list[jax.Array]:
    """Copies of the arrays that Keras variables hold."""
    return [jnp.copy(variable.value) for variable in variables]


model = keras.Sequential(
    [keras.Input((1,)), keras.layers.Dense(1, use_bias=False)]
)
weight = model.trainable_variables[0]
weight.assign([[0.0]])
optimizer = keras.optimizers.SGD(0.25)
optimizer.build(model.trainable_variables)


@jax.jit
def step(state: TrainState, x, y) -> tuple[TrainState, jax.Array]:
    """One training step: new state, loss."""

    def compute_loss(params):
        predicted, _ = model.stateless_call(params, [], x, training=True)
        return jnp.mean((predicted - y) ** 2)

    loss, grads = jax.value_and_grad(compute_loss)(state.params)
    params, opt_state = optimizer.stateless_apply(
        optimizer_variables=state.opt_state,
        grads=grads,
        trainable_variables=state.params,
    )
    return TrainState(params, opt_state), loss


x, y = jnp.ones((4, 1)), jnp.full((4, 1), 8.0)
params = values(model.trainable_variables)
state = TrainState(params, values(optimizer.variables))  #: out

state, loss = step(state, x, y)  #: first
state, loss = step(state, x, y)  #: second
state, loss = step(state, x, y)  #: third
model(x)[0]  #: asked

weight.assign(jnp.copy(state.params[0]))  #: back
model(x)[0]  #: asked-again
state, loss = step(state, x, y)  #: fourth
