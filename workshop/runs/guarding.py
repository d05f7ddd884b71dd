"""What guards share: names that each run of guards begins with."""

import logging as _logging
import os as _os
import re as _re
import subprocess as _subprocess
import sys as _sys


def _words_of(error) -> str:
    """The message of an error, without colors."""
    return _re.sub(r"\x1b\[[\d;]*m", "", str(error))


def _raised(kind: str, *words: str) -> str:
    """The visible cell above raised a class of this name, with these words; return its message."""
    error, _sys.last_value = _sys.last_value, None
    assert type(error).__name__ == kind, type(error).__name__
    text = _words_of(error)
    for part in words:
        assert part in text, (part, text)
    return text


def _raises(kind, words: str, call, *arguments, **options) -> bool:
    """A call raises this class, or one of this very name, with these words."""
    try:
        call(*arguments, **options)
    except BaseException as error:
        is_kind = type(error).__name__ == kind if isinstance(kind, str) else isinstance(error, kind)
        assert is_kind, (type(error).__name__, _words_of(error))
        assert words in _words_of(error), error
        return True
    raise AssertionError(f"{kind} was expected, nothing raised")


def _logged(call) -> list[str]:
    """The messages that JAX logs during a call; they stand nowhere else then."""
    logger, handler, messages = _logging.getLogger("jax"), _logging.Handler(), []
    handler.emit = lambda record: messages.append(record.getMessage())
    before = logger.handlers, logger.propagate
    logger.handlers, logger.propagate = [handler], False
    try:
        call()
    finally:
        logger.handlers, logger.propagate = before
    return messages


def _printed_on(devices: int, program: str, *arguments: str) -> str:
    """What a program prints that runs in a process of its own, on so many devices of the CPU."""
    flags = f"--xla_force_host_platform_device_count={devices}"
    done = _subprocess.run(
        [_sys.executable, "-c", program, *arguments],
        env={**_os.environ, "JAX_PLATFORMS": "cpu", "XLA_FLAGS": flags},
        check=False,
        capture_output=True,
        text=True,
    )
    assert not done.returncode, done.stderr
    return done.stdout.strip()
