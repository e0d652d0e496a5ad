"""JSON schemas (draft 2020-12) of the files of a SpyreCode directory, as they are written."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

NAMES = ("spyrecode", "manifest", "debug")


def load(name: str) -> dict[str, Any]:
    """A schema by the name of the file it describes, without ``.json``. ValueError for another name."""
    if name not in NAMES:
        raise ValueError(f"no schema '{name}'; there are {', '.join(NAMES)}")
    return json.loads(files(__name__).joinpath(f"{name}.schema.json").read_text(encoding="utf-8"))
