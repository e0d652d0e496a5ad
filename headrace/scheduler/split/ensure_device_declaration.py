"""`ensure-device-declaration`: a module without a device gets a declaration that imports one.

Precondition: any module. Postcondition: the module declares exactly one device, or had one before.

    module { func.func @k .. }   ->   module { ktdf_arch.device @spyre import("/abs/spyre.mlir")   func.func @k .. }

`device-filename` is a device file or the name of a shipped device (default `spyre`); `device-name` names the device of
a file that holds several.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.ir import Region

from headrace.arch.files import DEVICES
from headrace.arch.loader import load_device
from headrace.ir.dialects.ktdf_arch import DeviceOp
from headrace.ir.passes import Pass


@dataclass
class EnsureDeviceDeclarationPass(Pass):
    """See the module docstring."""

    name = "ensure-device-declaration"
    summary = "Declare a device where the module has none"
    device_filename: str = "spyre"
    """A device file or the name of a shipped device."""
    device_name: str | None = None
    """Which device of the file."""

    def apply(self, op: ModuleOp, ctx: Context) -> None:
        block = op.body.block
        if any(isinstance(inner, DeviceOp) for inner in block.ops):
            return
        device = load_device(self.device_filename, self.device_name)
        path = Path(self.device_filename)
        if not path.is_file():
            path = DEVICES / (path.name if path.suffix == ".mlir" else f"{self.device_filename}.mlir")
        declaration = DeviceOp.create(
            properties={"sym_name": StringAttr(device.name), "import_path": StringAttr(str(path.resolve()))},
            regions=[Region()],
        )
        declaration.location = op.location
        first = block.first_op
        if first is None:
            block.add_op(declaration)
        else:
            block.insert_op_before(declaration, first)
