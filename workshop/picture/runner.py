"""Run what a picture shows: `python runner.py SCRIPT` prints its values and the versions as JSON."""

import json
import runpy
import sys
from pathlib import Path

LIBRARIES = ("jax", "flax", "optax", "keras")

if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).resolve().parents[2])
    values = runpy.run_path(sys.argv[1])["values"]()
    versions = {name: sys.modules[name].__version__ for name in LIBRARIES if name in sys.modules}
    print(json.dumps({"versions": versions, "values": values}, ensure_ascii=False))
