"""Finding devices: by name or file, and from the declaration in a module.

Paths of imports are absolute, or relative to the file of the module that holds the declaration (to the working
directory when that module came from standard input); a file that is not there is looked for among the shipped devices.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from xdsl.dialects.builtin import ModuleOp, SymbolRefAttr
from xdsl.ir import Operation

from headrace.arch.files import DEVICES, read_device_file, reason_of, shipped_devices
from headrace.arch.model import Device
from headrace.ir.diagnostics import HeadraceError, error
from headrace.ir.dialects.ktdf_arch import DeviceOp
from headrace.ir.dialects.ktdf_arch_features import MAPS_TO
from headrace.ir.location import loc_of
from headrace.ir.text import parse_module


def definitions(module: ModuleOp) -> list[DeviceOp]:
    """Devices that a module defines or declares as direct children."""
    return [op for op in module.body.block.ops if isinstance(op, DeviceOp)] if module.body.blocks else []


@lru_cache(maxsize=64)
def _parse(text: str, filename: str) -> ModuleOp:
    return parse_module(text, filename=filename)


@lru_cache(maxsize=64)
def _device(text: str, filename: str, name: str | None) -> Device:
    found = definitions(_parse(text, filename))
    if name is not None:
        found = [op for op in found if op.sym_name.data == name]
    if not found:
        raise error(None, f"{filename}: no device named '{name}'" if name else f"{filename}: no device in this file")
    if len(found) > 1:
        names = ", ".join(op.sym_name.data for op in found)
        raise error(found[1], f"expected exactly one device, but the file holds {names}; name one of them")
    if found[0].is_import:
        raise error(found[0], "unable to import device graph: recursive importing is prohibited")
    return Device(found[0], filename)


def load_device(name_or_path: str | Path, name: str | None = None) -> Device:
    """A shipped device by name, or the device of a file (with `name`, the one of that name).

    Anything with a path separator or the suffix `.mlir` is a file. HeadraceError for an unknown name (with the known
    ones), a missing file, or a file without exactly one device. Models are cached by the text of their file.
    """
    text, filename = read_device_file(name_or_path)
    return _device(text, filename, name)


def device_of_text(text: str, filename: str, name: str | None = None) -> Device:
    """The device of a device file's text. HeadraceError as for :func:`load_device`."""
    return _device(text, filename, name)


def import_device(declaration: DeviceOp) -> Device:
    """The device that an op declares or defines; attributes of the declaration override those of the definition.

    The declaration stays as it is. HeadraceError at the declaration if the file is missing, does not hold a device of
    that name, or itself imports it.
    """
    if declaration.import_path is None:
        return Device(declaration)
    path = Path(declaration.import_path.data)
    location = loc_of(declaration)
    if not path.is_absolute():
        file = None if location is None or location.file.startswith("<") else Path(location.file)
        beside = path if file is None else file.parent / path
        path = beside if beside.is_file() else DEVICES / path
    try:
        content = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as failure:
        missing, reason = declaration.import_path.data, reason_of(failure)
        raise error(declaration, f"unable to import device graph: cannot read '{missing}': {reason}") from None
    name = declaration.sym_name.data
    try:
        module = _parse(content, str(path))
    except HeadraceError as failure:
        raise HeadraceError(
            [
                *error(declaration, "unable to import device graph: the device file has errors").diagnostics,
                *failure.diagnostics,
            ]
        ) from None
    found = [op for op in definitions(module) if op.sym_name.data == name]
    if not found:
        raise error(declaration, f"unable to import device graph: no device named '{name}'")
    if found[0].is_import:
        raise error(declaration, "unable to import device graph: recursive importing is prohibited")
    overrides = {key: value for key, value in declaration.attributes.items() if found[0].attributes.get(key) != value}
    if not overrides:
        return _device(content, str(path), name)
    merged = found[0].clone()
    merged.attributes.update(overrides)
    return Device(merged, str(path))


def device_of(op: Operation) -> Device:
    """The device of an op: the nearest `ktdf_arch.maps_to` symbol, else the only device of the enclosing modules.

    HeadraceError if there is none, or more than one.
    """
    declaration = find_declaration(op)
    if declaration is None:
        raise error(
            op, "unable to import the device specification: expected exactly one 'ktdf_arch.device' in the module"
        )
    return import_device(declaration)


def find_declaration(op: Operation) -> DeviceOp | None:
    """As `device_of`, but the declaring op, or None."""
    reachable: list[DeviceOp] = []
    current: Operation | None = op
    while current is not None:
        if isinstance(current, ModuleOp):
            reachable += definitions(current)
        current = current.parent_op()
    current = op
    while current is not None:
        target = current.attributes.get(MAPS_TO)
        if isinstance(target, SymbolRefAttr):
            for declaration in reachable:
                if declaration.sym_name.data == target.string_value():
                    return declaration
        current = current.parent_op()
    return reachable[0] if len(reachable) == 1 else None


def declare_device(module: ModuleOp, device: Device) -> DeviceOp:
    """Add a declaration of `device` to a module that has none (at its end), and return the module's declaration.

    Shipped devices are imported by file name, so that the text is the same on every machine.
    """
    present = definitions(module)
    if present:
        return present[0]
    path = device.path or f"{device.name}.mlir"
    if Path(path).is_file() and Path(path).name != path:
        path = str(Path(path).resolve())
    attributes = {key: device.op.attributes[key] for key in ("mem_space_mapping",) if key in device.op.attributes}
    declaration = DeviceOp(device.name, import_path=path, attributes=attributes)
    module.body.block.add_op(declaration)
    return declaration


__all__ = [
    "DEVICES",
    "declare_device",
    "definitions",
    "device_of",
    "device_of_text",
    "find_declaration",
    "import_device",
    "load_device",
    "shipped_devices",
]
