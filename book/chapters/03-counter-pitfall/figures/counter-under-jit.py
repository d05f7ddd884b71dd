"""The counter of chapter 3 under jit, line by line."""

import jax


class Counter:
    """Counts its calls."""

    def __init__(self) -> None:
        self.n = 0

    def count(self) -> int:
        """Add 1 and return the new count."""
        self.n += 1  #: add
        return self.n  #: hand-back


counter = Counter()  #: make
count = jax.jit(counter.count)  #: compile

count()  #: first
count()  #: second
counter.count()  #: plain
count()  #: third
