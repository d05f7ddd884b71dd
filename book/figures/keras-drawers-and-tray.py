"""The Keras loop: the weight in the model against the weight in the carried state."""

import os

os.environ["KERAS_BACKEND"] = "jax"

from typing import NamedTuple

import jax
import jax.numpy as jnp
import keras


class TrainState(NamedTuple):
    """The values of two drawers."""

    trainable: list[jax.Array]
    optimizer: list[jax.Array]


model = keras.Sequential([keras.Input((1,)), keras.layers.Dense(1, use_bias=False)])
weight = model.trainable_variables[0]
weight.assign([[0.0]])
optimizer = keras.optimizers.SGD(0.25)
optimizer.build(model.trainable_variables)


@jax.jit
def train_step(state: TrainState, x: jax.Array, y: jax.Array) -> tuple[TrainState, jax.Array]:
    """One step of training: new state, loss."""

    def compute_loss(trainable):
        predicted, _ = model.stateless_call(trainable, [], x, training=True)
        return jnp.mean((predicted - y) ** 2)

    loss, grads = jax.value_and_grad(compute_loss)(state.trainable)
    trainable, optimizer_variables = optimizer.stateless_apply(
        optimizer_variables=state.optimizer, grads=grads, trainable_variables=state.trainable
    )
    return TrainState(trainable, optimizer_variables), loss


x, y = jnp.ones((4, 1)), jnp.full((4, 1), 8.0)
drawers = (model.trainable_variables, optimizer.variables)
state = TrainState(*([jnp.copy(v.value) for v in drawer] for drawer in drawers))  #: out

state, loss = train_step(state, x, y)  #: first
state, loss = train_step(state, x, y)  #: second
state, loss = train_step(state, x, y)  #: third
model(x)[0]  #: asked

weight.assign(jnp.copy(state.trainable[0]))  #: back
model(x)[0]  #: asked-again
state, loss = train_step(state, x, y)  #: fourth
