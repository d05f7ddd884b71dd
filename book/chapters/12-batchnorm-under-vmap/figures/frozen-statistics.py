"""The model of chapter 12, trained twice from the same start: with train=False and train=True."""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import optax
from flax import linen as nn


class MLP(nn.Module):
    """A hidden layer with batch normalization, for one example."""

    @nn.compact
    def __call__(self, x: jax.Array, train: bool) -> jax.Array:
        x = nn.Dense(32, use_bias=False)(x)
        x = nn.BatchNorm(not train, momentum=0.9, axis_name="batch")(x)
        return nn.Dense(1)(nn.relu(x))


class TrainingState(NamedTuple):
    """All that one training step hands to the next."""

    params: Any
    opt_state: Any
    batch_stats: Any


def forward(
    params, batch_stats, x: jax.Array, train: bool
) -> tuple[jax.Array, Any]:
    """Predictions for a batch and the new statistics."""

    def one(x):
        variables = {"params": params, "batch_stats": batch_stats}
        y, updated = MLP().apply(
            variables, x, train=train, mutable=["batch_stats"]
        )
        return y, updated["batch_stats"]

    return jax.vmap(one, out_axes=(0, None), axis_name="batch")(x)


def make_step(tx: optax.GradientTransformation, train: bool):
    """Return a training step; `train` is the mode of batch normalization."""

    @jax.jit
    def step(state: TrainingState, data) -> tuple[TrainingState, jax.Array]:
        x, y = data

        def loss_fn(params):
            predicted, batch_stats = forward(
                params, state.batch_stats, x, train
            )
            return jnp.mean((predicted - y) ** 2), batch_stats

        value_and_grad = jax.value_and_grad(loss_fn, has_aux=True)
        (loss, batch_stats), grads = value_and_grad(state.params)
        updates, opt_state = tx.update(grads, state.opt_state, state.params)
        params = optax.apply_updates(state.params, updates)
        return TrainingState(params, opt_state, batch_stats), loss

    return step


data_key, noise_key, init_key = jax.random.split(jax.random.key(0), 3)
inputs = jax.random.uniform(data_key, (128, 1), minval=-2.0, maxval=2.0)
targets = jnp.sin(2 * inputs) + 0.1 * jax.random.normal(
    noise_key, inputs.shape
)

tx = optax.sgd(0.05)
variables = MLP().init(init_key, inputs[0], train=False)
params = variables["params"]
start = TrainingState(params, tx.init(params), variables["batch_stats"])

modes = {
    "train=False": make_step(tx, False),
    "train=True": make_step(tx, True),
}
now = dict.fromkeys(modes, start)
states, losses = [], {mode: [] for mode in modes}
for _ in range(41):
    states.append(
        {
            mode: {"kernel": state.params["Dense_0"]["kernel"]}
            | state.batch_stats["BatchNorm_0"]
            for mode, state in now.items()
        }
    )
    for mode, step in modes.items():
        now[mode], loss = step(now[mode], (inputs, targets))
        losses[mode].append(loss)
