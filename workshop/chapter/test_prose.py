"""The prose of the book follows its rules and its glossary; each rule is seen to fail once."""

import csv
import re

import pytest

from workshop.chapter.prose import SPELLINGS, findings, missing_glosses, spellings
from workshop.layout import glossary


def test_no_spelling_is_refused_that_the_book_writes():
    right = [row[key] for row in glossary() for key in ("ko", "gloss")]
    right += [row["ko"] for row in spellings()]
    for row in spellings():
        assert row["ko"], f"{row['en']}: say in `ko` what to write, for the glossary does not"
        assert row["refused"] or row["note"], (
            f"{row['en']}: says nothing; refuse a spelling or note"
        )
        wrong = [text for text in right if row["refused"] and re.search(row["refused"], text)]
        assert not wrong, f"{row['en']}: refuses {wrong}, which the book writes; narrow the rule"


def test_a_spelling_says_what_to_write_in_one_place():
    terms = {row["en"] for row in glossary()}
    with SPELLINGS.open(encoding="utf8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len({row["en"] for row in rows}) == len(rows), "a term stands twice"
    twice = [row["en"] for row in rows if row["ko"] and row["en"] in terms]
    assert not twice, f"the glossary says already what to write; leave `ko` empty: {twice}"


BAD_KOREAN = [
    ("값을`jax.jit`에 넣습니다.", "put a space before the code"),
    ("`jax.jit` 을 씁니다.", "join the particle"),
    ("`jax.jit`함수를 부릅니다.", "put a space between"),
    ("다음과 같습니다:", "no colon at the end"),
    ("출력은 다음과 같습니다: 1, 2, 3입니다.", "no colon after a sentence"),
    ("- 결과:\n\n  본문입니다.", "no colon at the end"),
    ("함수는 값을 돌려준다. 그다음은 같습니다.", "-습니다"),
    ("이것은 상태가 아니다.", "-습니다"),
    ("함께 보자.", "-습니다"),
    ("함께 살펴봅시다.", "-습니다"),
    ("값이 바뀌어요.", "-습니다"),
    ("이제 끝이죠. 값이 나왔어요.", "-습니다"),
    ("‘값은 같다.’", "-습니다"),
    ("우리는 값을 봅니다.", "name who acts"),
    ("컴파일러에 의해 지워집니다.", "name what acts"),
    ("`jit`에 의한 변환입니다.", "name what acts"),
    ("같은 모양을 가진 배열입니다.", "-이 있다"),
    ("함수가 이름을 갖습니다.", "-이 있다"),
    ("값이 계산되어집니다.", "plain passive"),
    ("이 절은 상태에 대한 것입니다.", "say it with a verb"),
    ("*상태*를 봅니다.", "no italics in Hangul"),
    ("드디어 됐습니다!", "no exclamation mark"),
    ("**상태(state)**를 넣습니다.", "shows its asterisks"),
    ("닫지 않은 `코드입니다.", "shows its backtick"),
    ("The state is read once and never written again. 끝입니다.", "an English sentence"),
    ("![값이 바뀐다. 끝.](a.svg)", "-습니다"),
    ("| 열 |\n|---|\n| `x` 를 봅니다 |", "join the particle"),
    ("키워드 인자를 넘깁니다.", "'인수' (argument)"),
    ("기울기 하강법으로 배웁니다.", "'경사 하강법' (gradient descent)"),
    ("줄이\n바뀌어도 하이퍼\n파라미터입니다.", "'하이퍼파라미터' (hyperparameter)"),
]

GOOD_KOREAN = [
    "`step`은 값을 두 개 돌려주지만, 이 반복문은 그중 하나만 받습니다.",
    "마지막 출력은 15가 아니라 5입니다. 순수 함수는 알 길이 없기 때문입니다.",
    "**상태**(state)는 다음 호출이 알아야 하는 모든 값입니다.",
    "**배울 것.** 트레이싱 시점과 실행 시점의 차이를 배웁니다. 필요: 30분",
    "왼쪽 이름에 다시 담아 `state, total = step(state, x)`로 쓰면 합이 나옵니다.",
    "`jax.jit`과 `jax.vmap`을 함께 쓰면 어떻게 될까요?",
    "먼저 맞혀 보세요. 답을 적어 두고 시작하세요.",
    "손실의 변화도 함께 기록하고, 학습률의 변화도 봅니다.",
    "옵티마이저가 하는 일은 상태 추적이 아니라 상태 전달입니다.",
    "사용자 확인자는 인자한 사람이고, 승인자도 그렇습니다.",
    "손실 값을 추적하기 쉽게 이름을 붙였습니다.",
    "성능을 높이는 최적화기법과 계층적 구조, 메모리 계층은 다른 이야기입니다.",
    "`jit`에는 보호 장치가 있습니다.",
    "세 가지를 봅니다. 나무에는 가지가 많고 정원사는 가지치기를 합니다.",
    "‘부작용’이라고 옮긴 글도 있지만 이 책은 부수 효과로 씁니다.",
    "`x.at[0].set(1)`처럼 쓰면 새 배열이 나오고 `x`는 그대로입니다.",
    "`x`였던 것이 `y`가 되고, `None`이면 건너뛰며, `jit`된 함수는 남습니다.",
    "`[1, 2, 3]`입니다. `a != b`이므로 `not a`도 참입니다.",
    '## 상태를 넣고 상태를 꺼낸다 <a id="state"></a>\n\n본문입니다.',
    "[상태를 넣고 상태를 꺼낸다](04-explicit-state.ipynb)로 이어집니다.",
    "- [Stateful computations in JAX and why it is so](https://docs.jax.dev), Apache-2.0.",
    "학습률을 0.1로 두면 $w_{t+1} = w_t - 0.1 g$가 됩니다.",
    "상태를 가진(stateful) 함수는 상태를 갖지 않는 함수로 바꿀 수 있습니다.",
    "```python\n# 우리는 인자를 출력한다!\nprint('장치:')\n```",
    "크로스 엔트로피와 모든 로그는 그대로 두었습니다. 개요와 수요. 필요.",
    "JAX, Flax, Keras 3을 씁니다. 버전은 0.10.2입니다. (자세한 것은 부록에 있습니다.)",
    "`state`와 `x`를 받아 `(state, y)`를 돌려주는 함수라는 뜻입니다.",
    "*shape*이 되어야 합니다. 순서는 되어 있는 대로입니다.",
    "우리말로 옮긴 우리나라 문서입니다.",
    "‘한 번’은 ‘트레이싱마다 한 번’입니다. 그래서 둘째 줄은 `4 4 4`입니다.",
    "![호출 1만 파이썬에 다녀왔습니다.](../figures/a.ko.svg)",
    "![두 줄로 나눈 그림](data:image/svg+xml;base64,PHN2Zz48L3N2Zz4=)",
    "| 어디에 | 무엇이 남는가 |\n|---|---|\n| 모델 | 가중치, 곧 `w`와 `b` |",
    "도구 중 하나는 `jax.debug.print`이고, 다른 하나는 `print` 함수입니다.",
    "English Language 이름은 그대로 둡니다. API 이름은 번역하지 않습니다.",
]

BAD_ENGLISH = [
    ("Note that `x` stays.", "drop it"),
    ("Let's look at the jaxpr.", "tell the reader what to do"),
    ("let’s see", "tell the reader what to do"),
    ("It works!", "no exclamation mark"),
    ("The state (상태) goes in.", "Korean in an English text"),
    ("**bold(x)**is broken", "shows its asterisks"),
    ("![Note that x](a.svg)", "drop it"),
]

GOOD_ENGLISH = [
    "The last output is 5, not 15. JAX raises no error, and it could not.",
    "Rebind the name: `state, total = step(state, x)`. In code `a != b` is fine.",
    "Read this page in 한국어. The title of the source is [상태가 있는 계산](https://example.org).",
    "It can change too, or just be read; the epoch had simply run out of data.",
    "The simplest counter lets a reader see it. Two colons: one here.",
]


@pytest.mark.parametrize(("text", "mend"), BAD_KOREAN)
def test_bad_korean_is_found(text, mend):
    assert any(mend in line for line in findings(text, "ko")), findings(text, "ko")


@pytest.mark.parametrize("text", GOOD_KOREAN)
def test_good_korean_is_not_flagged(text):
    assert findings(text, "ko") == []


@pytest.mark.parametrize(("text", "mend"), BAD_ENGLISH)
def test_bad_english_is_found(text, mend):
    assert any(mend in line for line in findings(text, "en")), findings(text, "en")


@pytest.mark.parametrize("text", GOOD_ENGLISH)
def test_good_english_is_not_flagged(text):
    assert findings(text, "en") == []


def test_a_page_in_both_languages_is_judged_block_by_block():
    text = "값을 돌려준다.\n\nNote that the value is returned.\n\n**한국어** · English"
    assert findings(text) == ["'돌려준다.': write -습니다", "'Note that': drop it"]


def test_finding_shows_the_words_with_their_code():
    assert findings("값을 `a`에 넣고 `b` 를 봅니다.", "ko") == [
        "'`b` 를': join the particle to the code"
    ]


TITLE = "# 1. 파이트리와 상태"


@pytest.mark.parametrize(
    "cells",
    [
        [TITLE, "상태(state)를 넣습니다. 상태를 꺼냅니다."],
        [TITLE, "**상태**(state)는 값입니다."],
        [TITLE + "\n\n상태를 배웁니다.", "상태(state)는 값입니다."],
        [TITLE, '## 상태란 <a id="x"></a>\n\n[상태](04-a.ipynb)와 `상태`, 상태(state)입니다.'],
        [TITLE, "옵티마이저 상태와 상태 기계(state machine), 상태(state)입니다."],
        [TITLE, "리프(leaf)는 값입니다.", "리프를 봅니다."],
        [TITLE, "그래프에서 접선의 기울기는 기울기(gradient, 그레이디언트)의 한 성분입니다."],
        [TITLE, "기울기(gradient)를 구합니다. 기울기는 벡터입니다."],
    ],
)
def test_gloss_at_first_mention_is_accepted(cells):
    assert missing_glosses(cells) == []


@pytest.mark.parametrize(
    ("cells", "number", "gloss"),
    [
        ([TITLE, "상태를 넣습니다. 상태(state)를 꺼냅니다."], 1, "상태(state)"),
        ([TITLE, "본문입니다.", "파이트리를 봅니다."], 2, "파이트리(pytree)"),
        ([TITLE, "트레이싱입니다."], 1, "트레이싱(tracing)"),
        ([TITLE, "기울기(그레이디언트)입니다."], 1, "기울기(gradient, 그레이디언트)"),
        ([TITLE, "상태 전달은 규칙입니다. 상태(state)입니다."], 1, "상태(state)"),
        ([TITLE, "| 열 |\n|---|\n| 리프 |"], 1, "리프(leaf)"),
    ],
)
def test_missing_gloss_is_found(cells, number, gloss):
    ((found, line),) = missing_glosses(cells)
    assert found == number and gloss in line
