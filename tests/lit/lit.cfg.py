"""lit configuration: `%headrace-opt FILE | filecheck FILE`."""

import os
import sys
from pathlib import Path

import lit.formats

config.name = "headrace"  # noqa: F821
config.test_format = lit.formats.ShTest(execute_external=False)  # noqa: F821
config.suffixes = [".mlir"]  # noqa: F821
config.test_source_root = str(Path(__file__).parent)  # noqa: F821
config.environment["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])  # noqa: F821
config.environment["PYTHONPATH"] = str(Path(__file__).parents[2])  # noqa: F821
config.substitutions.append(("%headrace-opt", f"{sys.executable} -m headrace.cli.opt"))  # noqa: F821
config.substitutions.append(("%filecheck", "filecheck"))  # noqa: F821
