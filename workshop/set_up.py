"""Set up a virtual environment with uv: `set_up.py FOLDER PYTHON REQUIREMENTS`.

Any Python from 3.8 on runs this. PYTHON is what uv calls a request: a name, a version or a range of
versions. uv takes the first interpreter on the path that fits, fetches one where none does, and
installs in a sixth of the time that pip takes, from where pip is set up to install from.
"""

import ast
import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# What uv calls the settings of pip that lead to the packages.
NAMES = {
    "index-url": "UV_DEFAULT_INDEX",
    "extra-index-url": "UV_INDEX",
    "find-links": "UV_FIND_LINKS",
    "trusted-host": "UV_INSECURE_HOST",
    "cert": "SSL_CERT_FILE",
    "proxy": "ALL_PROXY",
}


def settings_of_pip(python: Path) -> dict:
    """Return for uv, as environment variables, where the pip of an interpreter looks for packages."""
    command = [python, "-m", "pip", "config", "list"]
    listed = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    pairs = (line.split("=", 1) for line in listed.splitlines())
    values = {name: ast.literal_eval(value) for name, value in pairs}
    found = {"UV_INDEX_STRATEGY": "unsafe-best-match"}  # all indexes count alike, as for pip
    for section in ("global", "install", ":env:"):  # a later one wins
        for name, variable in NAMES.items():
            if value := values.get(f"{section}.{name}"):
                found[variable] = ("," if name == "find-links" else " ").join(value.split())
    return found


def uv_by_pip(place: str) -> tuple:
    """Install the pinned uv in an environment of its own; return it and its settings."""
    lines = (ROOT / "requirements.txt").read_text("utf8").splitlines()
    (pinned,) = (line.split()[0] for line in lines if line.startswith("uv=="))
    venv.create(place, with_pip=True)
    python = Path(place, "bin", "python")
    install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", pinned]
    if code := subprocess.run(install, check=False).returncode:
        sys.exit(code)
    return Path(place, "bin", "uv"), settings_of_pip(python)


def set_up(folder: str, python: str, requirements: str) -> None:
    """Make the environment and install into it, with the uv that UV names or one by pip."""
    with tempfile.TemporaryDirectory() as place:
        uv, settings = (os.environ["UV"], {}) if os.environ.get("UV") else uv_by_pip(place)
        settings.update(os.environ)  # what uv itself was told counts more
        make = [uv, "venv", "--quiet", "--clear", "--no-project", "--python", python, folder]
        if subprocess.run(make, env=settings, check=False).returncode:
            sys.exit(f"error: found no Python that is {python}, and could fetch none; install one")
        install = [uv, "pip", "install", "--quiet", "--only-binary", ":all:", "--python", folder]
        sys.exit(
            subprocess.run([*install, "-r", requirements], env=settings, check=False).returncode
        )


if __name__ == "__main__":
    set_up(*sys.argv[1:])
