"""What judges the answers to the exercises of this chapter, and answers to try it with."""


# %% check 1
def truth_1() -> list:
    """Fit with each of the four callbacks again; return the final weights."""
    return [final(callback) for callback in (First, Second, Third, Fourth)]


def check_1(answer) -> None:
    """Compare four predictions with four runs; name the first that differs."""
    given = read_numbers(answer, 4)
    hints = (
        "before which of the three batches are the arrays in the model? · "
        "배치 세 개 가운데 어느 것이 시작하기 전에 배열이 모델에 들어 있나요?",
        "which of the two methods runs while the arrays are in the model? · "
        "배열이 모델에 들어 있을 때 실행되는 메서드는 둘 중 어느 것인가요?",
        "what does self.model do before each read and write? · "
        "읽고 쓰기 전에 self.model이 무엇을 하나요?",
        "the first line uses self.model: where are the arrays when the second line writes? · "
        "첫 줄에서 self.model을 썼습니다. 둘째 줄에서 쓸 때 배열은 어디에 있나요?",
    )
    said = lambda n, value: (
        f"number {n} isn't {value:g}: · {n}번째 값은 {value:g}이 아닙니다."
    )
    in_order(given, truth_1(), hints, said)


# %% solution 1
# First: only the write before the first batch is kept, so 2.
# Second: the writes after batches are lost; on_epoch_end reads 1, writes 10.
# Third: doubled three times.  Fourth: 1 + 0 + 1 + 2, because the read
# through self.model gave the arrays back before each write.
judge(1, check_1, (2, 10, 8, 4))


# %% right 1
answer_1 = [2.0, 10.0, 8.0, 4.0]


# %% wrong 1: before which of the three batches
answer_1 = (4, 10, 8, 4)
answer_1 = (1, 10, 8, 4)


# %% wrong 1: which of the two methods
answer_1 = (2, 40, 8, 4)
answer_1 = (2, 1, 8, 4)
answer_1 = (2, 4, 8, 4)


# %% wrong 1: what does self.model do
answer_1 = (2, 10, 1, 4)
answer_1 = (2, 10, 2, 4)


# %% wrong 1: where are the arrays when the second line writes
answer_1 = (2, 10, 8, 1)
answer_1 = (2, 10, 8, 3)


# %% wrong 1: write 4 numbers in a tuple
answer_1 = 2
answer_1 = (2, 10, 8)
answer_1 = "2 10 8 4"


# %% check 2
def body_and_head() -> keras.Model:
    """A compiled model with two Dense layers and moving statistics."""
    keras.utils.set_random_seed(7)
    body, head = keras.layers.Dense(3), keras.layers.Dense(1)
    norm = keras.layers.BatchNormalization(momentum=0.9)
    model = keras.Sequential([keras.Input((4,)), body, norm, head])
    optimizer = keras.optimizers.SGD(0.02, momentum=0.9)
    model.compile(optimizer=optimizer, loss="mse")
    return model


def check_2(answer) -> None:
    """Clip during fit, beside train_on_batch with a clip after each batch."""
    assert isinstance(answer, type), (
        "a class is needed, not an object · 객체가 아니라 클래스가 필요합니다"
    )
    assert issubclass(answer, keras.callbacks.Callback), (
        "the class has to be a keras.callbacks.Callback · "
        "keras.callbacks.Callback의 하위 클래스여야 합니다"
    )
    lost = (
        "a variable was read while its array is out of the model · "
        "배열이 모델 밖에 있을 때 변수를 읽었습니다"
    )
    for limit in (0.1, 0.3):
        found, twin = (body_and_head() for _ in range(2))
        fit = lambda: found.fit(x, y, **schedule, callbacks=[answer(limit)])
        call_answer(fit, hints={"'NoneType' object": lost})
        for start in [*range(0, len(x), 4)] * schedule["epochs"]:
            twin.train_on_batch(x[start : start + 4], y[start : start + 4])
            for v in twin.trainable_variables:
                v.assign(ops.clip(v, -limit, limit))
        far = max(abs(v.numpy()).max() for v in found.trainable_variables)
        assert far < limit + 1e-6, (
            f"with limit {limit}, a weight is {far:.2f} after fit: which write is the last one kept? · "
            f"limit이 {limit}인데 fit 뒤의 가중치 하나가 {far:.2f}입니다. 마지막으로 남은 쓰기는 어느 것인가요?"
        )
        assert arrays_agree(found.get_weights(), twin.get_weights(), 1e-4), (
            "the result differs from training that clips the trainable variables after each batch · "
            "배치마다 학습 가능 변수를 자르며 학습한 결과와 다릅니다"
        )


# %% solution 2
class Clip(keras.callbacks.Callback):
    def __init__(self, limit: float) -> None:
        super().__init__()
        self.limit = limit

    def on_train_batch_end(self, batch, logs=None):
        for v in self.model.trainable_variables:
            v.assign(ops.clip(v, -self.limit, self.limit))


judge(2, check_2, Clip)


# %% right 2
class answer_2(Clip):
    def on_train_batch_end(self, batch, logs=None):
        model = self.model
        for v in model.trainable_variables:
            v.assign(np.clip(v.numpy(), -self.limit, self.limit))


class answer_2(Clip):
    def on_train_batch_end(self, batch, logs=None):
        for layer in self.model.layers:
            for v in layer.trainable_variables:
                v.assign(ops.minimum(ops.maximum(v, -self.limit), self.limit))


# %% wrong 2: which write is the last one kept
class answer_2(Clip):
    def on_train_batch_end(self, batch, logs=None):
        for v in model.trainable_variables:
            v.assign(ops.clip(v, -self.limit, self.limit))


class answer_2(keras.callbacks.Callback):
    def __init__(self, limit):
        super().__init__()
        self.limit = limit

    def on_train_batch_begin(self, batch, logs=None):
        for v in self.model.trainable_variables:
            v.assign(ops.clip(v, -self.limit, self.limit))


# %% wrong 2: read while its array is out of the model
class answer_2(Clip):
    def on_train_begin(self, logs=None):
        self.variables = self.model.trainable_variables

    def on_train_batch_end(self, batch, logs=None):
        for v in self.variables:
            v.assign(ops.clip(v, -self.limit, self.limit))


# %% wrong 2: clips the trainable variables after each batch
class answer_2(keras.callbacks.Callback):
    def __init__(self, limit):
        super().__init__()
        self.limit = limit

    def on_epoch_end(self, epoch, logs=None):
        for v in self.model.trainable_variables:
            v.assign(ops.clip(v, -self.limit, self.limit))


class answer_2(Clip):
    def on_train_batch_end(self, batch, logs=None):
        for v in self.model.weights:
            v.assign(ops.clip(v, -self.limit, self.limit))


# %% wrong 2: a class is needed
answer_2 = Clip(0.1)
answer_2 = lambda limit: Clip(limit)


# %% wrong 2: has to be a keras.callbacks.Callback
class answer_2:
    def __init__(self, limit):
        self.limit = limit


# %% check 3
def check_3(answer) -> None:
    """Train with the answer and with keras.Model; compare what is left."""
    assert isinstance(answer, type) and issubclass(answer, keras.Model), (
        "a class of models (keras.Model) is needed · keras.Model의 하위 클래스가 필요합니다"
    )
    assert answer.train_step is not keras.Model.train_step, (
        "the class has no train_step of its own · 클래스에 train_step이 없습니다"
    )
    right = trained(keras.Model)
    found = call_answer(lambda: trained(answer))
    assert "loss" in found.history.history, (
        "the logs need a loss: return ({'loss': loss}, state) · "
        "로그에 loss가 필요합니다. ({'loss': loss}, state)를 반환하세요"
    )
    updates = [int(m.optimizer.iterations.value) for m in (found, right)]
    assert updates[0] == updates[1], (
        f"the optimizer counts {updates[0]} updates after 32 batches · "
        f"배치 32개를 학습했는데 옵티마이저가 센 업데이트는 {updates[0]}번입니다"
    )
    mean = found.get_weights()[2]
    assert abs(mean).max() > 0, (
        "the moving mean is still 0: does the forward pass train, and is what it returns kept? · "
        "이동 평균이 아직 0입니다. 순전파가 학습 모드이고, 반환된 값이 상태에 남나요?"
    )
    seeds = [np.asarray(m.non_trainable_variables[-1]) for m in (found, right)]
    assert arrays_agree(*seeds), (
        "the number of dropout masks drawn differs: one forward pass a step · "
        "드롭아웃 마스크를 뽑은 횟수가 다릅니다. 스텝마다 순전파는 한 번입니다"
    )
    assert arrays_agree(found.get_weights(), right.get_weights(), 1e-3), (
        "the weights differ from those that keras.Model learns · "
        "keras.Model이 학습한 가중치와 다릅니다"
    )


# %% solution 3
class Fixed(keras.Model):
    def train_step(self, state, data):
        params, non_trainable, opt_state, metrics = state
        x, y = data

        def loss_fn(params):
            y_pred, new_non_trainable = self.stateless_call(
                params, non_trainable, x, training=True
            )
            return ops.mean((y - y_pred) ** 2), new_non_trainable

        grad_fn = jax.value_and_grad(loss_fn, has_aux=True)
        (loss, non_trainable), grads = grad_fn(params)
        params, opt_state = self.optimizer.stateless_apply(
            opt_state, grads, params
        )
        metrics = self.metrics[0].stateless_update_state(metrics, loss)
        logs = {"loss": self.metrics[0].stateless_result(metrics)}
        return logs, (params, non_trainable, opt_state, metrics)


judge(3, check_3, Fixed)


# %% right 3
class answer_3(keras.Model):
    def train_step(self, state, data):
        return super().train_step(state, data)


# %% wrong 3: the optimizer counts 0 updates
answer_3 = Broken


class answer_3(Fixed):
    def train_step(self, state, data):
        logs, new_state = super().train_step(state, data)
        return logs, (*new_state[:2], state[2], new_state[3])


# %% wrong 3: the moving mean is still 0
class answer_3(Fixed):
    def train_step(self, state, data):
        logs, new_state = super().train_step(state, data)
        return logs, (new_state[0], state[1], *new_state[2:])


class answer_3(keras.Model):
    def train_step(self, state, data):
        params, non_trainable, opt_state, metrics = state
        x, y = data

        def loss_fn(params):
            y_pred, _ = self.stateless_call(params, non_trainable, x)
            return ops.mean((y - y_pred) ** 2)

        loss, grads = jax.value_and_grad(loss_fn)(params)
        params, opt_state = self.optimizer.stateless_apply(
            opt_state, grads, params
        )
        return {"loss": loss}, (params, non_trainable, opt_state, metrics)


# %% wrong 3: the weights differ from those
class answer_3(Fixed):
    def train_step(self, state, data):
        logs, new_state = super().train_step(state, data)
        return logs, (state[0], *new_state[1:])


# %% wrong 3: one forward pass a step
class answer_3(Fixed):
    def train_step(self, state, data):
        x, y = data
        out, non_trainable = self.stateless_call(*state[:2], x, training=True)
        return super().train_step((state[0], non_trainable, *state[2:]), data)


# %% wrong 3: has no train_step of its own
class answer_3(keras.Model):
    pass


# %% wrong 3: a class of models
answer_3 = trained
