"""A SpyreCode directory: both job plans, the device image, the manifest, the debug table. Writing and validated
reading.

``spyrecode.json`` is written last and atomically, so a directory is complete exactly when that file exists.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from headrace.codegen import hcm, plan
from headrace.codegen.image import Image, ImageError
from headrace.codegen.symbols import SymbolError
from headrace.ir.diagnostics import Diagnostic, HeadraceError

PLAN_NAME = "spyrecode.json"
MANIFEST_NAME = "manifest.json"
DEBUG_NAME = "debug.json"
NESTED_NAME = "spyreCodeDir"
FORMAT = "headrace-spyrecode"
VERSION = 1


@dataclass
class SpyreCode:
    """A compiled kernel.

    ``preparation`` and ``execution`` are the job plans; ``files`` the bytes that InitTransfer commands name;
    ``manifest`` and ``debug`` the JSON objects of ``docs/spyrecode.md``. ``debug`` may be None: only messages get
    poorer.
    """

    preparation: list[plan.Command]
    execution: list[plan.Command]
    files: dict[str, bytes]
    manifest: dict[str, Any]
    debug: dict[str, Any] | None = field(default=None)

    @property
    def name(self) -> str:
        """Kernel name."""
        return str(self.manifest["kernel"])

    @property
    def arguments(self) -> list[dict[str, Any]]:
        """Kernel arguments: name, index, kind (``address``, ``scalar``, ``runtime_arg``), and what is known of them."""
        return list(self.manifest["arguments"])

    @property
    def allocation(self) -> plan.Allocate:
        """The program memory it needs."""
        first = self.preparation[0]
        assert isinstance(first, plan.Allocate)
        return first

    @property
    def transfers(self) -> list[plan.InitTransfer]:
        """The initial transfers."""
        return [c for c in self.preparation if isinstance(c, plan.InitTransfer)]

    @cached_property
    def image(self) -> Image:
        """The decoded device image."""
        return Image.decode(self.files[self.transfers[0].init_bin_file])

    def host_compute(self, command: plan.ComputeOnHost) -> hcm.HostCompute:
        """Decoded metadata of a host compute command."""
        return hcm.decode(command.hcm, command.size, len(self.arguments))

    def location(self, program: int | None, section: int, word: int) -> str | None:
        """``file:line:col`` of the KTIR operation behind an instruction word; ``program`` None is the sequencer."""
        if self.debug is None:
            return None
        try:
            lines = (
                self.debug["sequencer"]
                if program is None
                else self.debug["programs"][program]["sections"][section]["lines"]
            )
            number = -1
            for start, location in lines:
                if start > word:
                    break
                number = location
            return self.debug["locations"][number] if number >= 0 else None
        except (KeyError, IndexError, TypeError):
            return None

    def write(self, directory: str | os.PathLike[str]) -> Path:
        """Write the directory (made if needed; other files in it stay). Returns its path."""
        root = Path(directory)
        try:
            root.mkdir(parents=True, exist_ok=True)
            (root / PLAN_NAME).unlink(missing_ok=True)
            for name, raw in self.files.items():
                _replace(root / name, raw)
            _replace(root / MANIFEST_NAME, _json(self.manifest))
            if self.debug is not None:
                _replace(root / DEBUG_NAME, _json(self.debug))
            else:
                (root / DEBUG_NAME).unlink(missing_ok=True)
            plans = {
                "JobPreparationPlan": [plan.to_json(c) for c in self.preparation],
                "JobExecPlan": [plan.to_json(c) for c in self.execution],
            }
            _replace(root / PLAN_NAME, _json(plans))
        except OSError as e:
            raise _fail(root, [f"cannot write: {e.strerror}: '{e.filename}'"]) from None
        return root

    @staticmethod
    def read(directory: str | os.PathLike[str]) -> SpyreCode:
        """Read and validate a directory. Raises :class:`HeadraceError` with one diagnostic per fault."""
        root = Path(directory)
        if not root.is_dir():
            raise _fail(root, ["no such directory" if not root.exists() else "not a directory"])
        if not (root / PLAN_NAME).exists() and (root / NESTED_NAME / PLAN_NAME).exists():
            root = root / NESTED_NAME
        return _Reader(root).read()


class _Reader:
    """Validates while it reads; collects all faults of a stage before giving up."""

    def __init__(self, root: Path):
        self.root = root
        self.errors: list[str] = []

    def check(self) -> None:
        if self.errors:
            raise _fail(self.root, self.errors)

    def attempt(self, action: Callable[[], Any]) -> Any:
        try:
            return action()
        except plan.PlanError as e:
            self.errors.append(str(e))
        except SymbolError as e:
            self.errors.append(f"host compute metadata: {e}")
        except ImageError as e:
            self.errors.append(str(e))
        return None

    def json(self, name: str, *, required: bool = True) -> Any:
        path = self.root / name
        try:
            return json.loads(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            if required:
                self.errors.append(f"'{name}' is missing: no SpyreCode directory")
        except (OSError, UnicodeDecodeError, json.JSONDecodeError, RecursionError) as e:
            self.errors.append(f"'{name}' cannot be read as JSON: {e}")
        return None

    def read(self) -> SpyreCode:
        preparation, execution = self.plans()
        self.check()
        self.preparation_rules(preparation)
        self.errors += plan.check_order(execution)
        self.check()
        files = {c.init_bin_file: self.file(c.init_bin_file) for c in preparation[1:]}
        self.check()
        self.sizes(preparation, execution, files)
        self.check()
        manifest = self.manifest()
        self.check()
        debug = self.json(DEBUG_NAME, required=False)
        code = SpyreCode(preparation, execution, files, manifest, debug if isinstance(debug, dict) else None)
        for c in execution:
            if isinstance(c, plan.ComputeOnHost):
                self.attempt(lambda c=c: code.host_compute(c))
        image = self.attempt(lambda: code.image)
        if image is not None:
            self.image_rules(code, image)
        self.check()
        return code

    def plans(self) -> tuple[list[Any], list[Any]]:
        data = self.json(PLAN_NAME)
        if data is None:
            return [], []
        out: list[list[Any]] = []
        for key in ("JobPreparationPlan", "JobExecPlan"):
            entries = data.get(key) if isinstance(data, dict) else None
            if not isinstance(entries, list):
                self.errors.append(f"'{PLAN_NAME}': '{key}' is absent or no array")
                entries = []
            commands = []
            for n, entry in enumerate(entries):
                commands.append(self.attempt(lambda e=entry, k=key, n=n: plan.from_json(e, f"{k}[{n}]", self.metadata)))
            out.append(commands)
        return out[0], out[1]

    def metadata(self, name: str) -> Any:
        raw = self.file(name)
        try:
            return json.loads(raw)
        except ValueError:
            raise plan.PlanError(f"'{name}' cannot be read as JSON") from None

    def file(self, name: str) -> bytes:
        """Bytes of a file that the plan names; only plain names inside the directory."""
        if not re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9_.\-]*", name):
            self.errors.append(f"file name '{name}' is not a plain name inside the directory")
            return b""
        path = self.root / name
        if not path.is_file() or path.resolve().parent != self.root.resolve():
            self.errors.append(f"file '{name}', named by the plan, is missing")
            return b""
        return path.read_bytes()

    def preparation_rules(self, preparation: list[Any]) -> None:
        if len(preparation) < 2:
            self.errors.append("JobPreparationPlan: needs an Allocate and at least one InitTransfer")
            return
        if not isinstance(preparation[0], plan.Allocate):
            self.errors.append("JobPreparationPlan[0]: must be Allocate")
        for n, c in enumerate(preparation[1:], 1):
            if not isinstance(c, plan.InitTransfer):
                self.errors.append(f"JobPreparationPlan[{n}]: must be InitTransfer")

    def sizes(self, preparation: list[Any], execution: list[Any], files: dict[str, bytes]) -> None:
        end = plan.PROGRAM_BASE + preparation[0].static_size
        if end > plan.PROGRAM_END:
            self.errors.append(f"Allocate: {preparation[0].static_size} bytes are more than the program segment holds")
        for n, c in enumerate(preparation[1:], 1):
            if len(files[c.init_bin_file]) < c.size:
                have = len(files[c.init_bin_file])
                self.errors.append(
                    f"JobPreparationPlan[{n}]: '{c.init_bin_file}' has {have} bytes, {c.size} are to be moved"
                )
            if c.dev_ptr + c.size > end:
                self.errors.append(f"JobPreparationPlan[{n}]: the transfer ends beyond the allocation")
        for n, c in enumerate(execution):
            if isinstance(c, plan.DataTransfer) and not c.to_host and c.dev_ptr + c.size > end:
                self.errors.append(f"JobExecPlan[{n}]: the transfer ends beyond the allocation")
            if isinstance(c, plan.ComputeOnDevice) and c.job_bin_ptr >= end:
                self.errors.append(f"JobExecPlan[{n}]: 'job_bin_ptr' lies beyond the allocation")

    def manifest(self) -> dict[str, Any]:
        data = self.json(MANIFEST_NAME)
        if data is None:
            return {}
        if not isinstance(data, dict) or data.get("format") != FORMAT:
            self.errors.append(f"'{MANIFEST_NAME}': not written by this compiler ('format' is not '{FORMAT}')")
            return {}
        if data.get("version") != VERSION:
            self.errors.append(
                f"'{MANIFEST_NAME}': version {data.get('version')!r}, this reader knows version {VERSION}"
            )
        device = data.get("device")
        if not isinstance(data.get("kernel"), str):
            self.errors.append(f"'{MANIFEST_NAME}': 'kernel' is missing")
        if not isinstance(device, dict) or not all(isinstance(device.get(k), str) for k in ("name", "digest")):
            self.errors.append(f"'{MANIFEST_NAME}': 'device' needs 'name' and 'digest'")
        arguments = data.get("arguments")
        if not isinstance(arguments, list) or not all(_is_argument(a, k) for k, a in enumerate(arguments)):
            self.errors.append(f"'{MANIFEST_NAME}': 'arguments' is missing or malformed")
        if not isinstance(data.get("buffers"), list):
            self.errors.append(f"'{MANIFEST_NAME}': 'buffers' is missing")
        return data

    def image_rules(self, code: SpyreCode, image: Image) -> None:
        """The image agrees with the plan and the manifest."""
        if image.device_digest.hex() != code.manifest["device"]["digest"][:32]:
            self.errors.append("the image was compiled for another device than the manifest says")
        entry = code.transfers[0].dev_ptr
        starts = [c.job_bin_ptr for c in code.execution if isinstance(c, plan.ComputeOnDevice)]
        if any(s != entry for s in starts):
            self.errors.append("'job_bin_ptr' is not the start of the image")
        moved = [c.size for c in code.execution if isinstance(c, plan.ComputeOnHost)]
        if (image.correction and entry - plan.PROGRAM_BASE != image.correction_bytes) or sum(
            moved
        ) != image.correction_bytes:
            self.errors.append("the correction region of the image and of the plan differ")


def _is_argument(entry: Any, index: int) -> bool:
    return (
        isinstance(entry, dict)
        and isinstance(entry.get("name"), str)
        and entry.get("index") == index
        and entry.get("kind") in ("address", "scalar", "runtime_arg")
    )


def _json(value: Any) -> bytes:
    return (json.dumps(value, indent=1, ensure_ascii=False) + "\n").encode()


def _replace(path: Path, raw: bytes) -> None:
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with temporary.open("wb") as f:
            f.write(raw)
            f.flush()
            os.fsync(f.fileno())
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


def _fail(root: Path, messages: list[str]) -> HeadraceError:
    return HeadraceError([Diagnostic("error", f"{root}: {message}") for message in messages])
