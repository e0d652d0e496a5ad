"""DLPack tensors that NumPy cannot read: bfloat16 in host memory, copied."""

from __future__ import annotations

import ctypes
from typing import Any

import ml_dtypes
import numpy as np

from headrace.runtime.errors import runtime_error

HOST_DEVICES = (1, 3, 11, 13)
"""DLPack device types whose memory the host can read: CPU and host memory of accelerators."""
BFLOAT = 4
_NAME = b"dltensor"


class DLTensor(ctypes.Structure):
    """``DLTensor`` of the DLPack specification."""

    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


class DLManagedTensor(ctypes.Structure):
    """``DLManagedTensor``: a tensor with the function that gives it back."""


DELETER = ctypes.CFUNCTYPE(None, ctypes.POINTER(DLManagedTensor))
DLManagedTensor._fields_ = [("tensor", DLTensor), ("context", ctypes.c_void_p), ("deleter", DELETER)]


def read_bfloat16(source: Any) -> np.ndarray | None:
    """A copy of a bfloat16 tensor; None if it is of another type. Raises :class:`HeadraceError` for device memory."""
    if source.__dlpack_device__()[0] not in HOST_DEVICES:
        raise runtime_error(f"a {type(source).__name__} on another device cannot be read; copy it to the host first")
    capsule = source.__dlpack__()
    api = ctypes.pythonapi
    api.PyCapsule_GetPointer.restype = ctypes.c_void_p
    api.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
    api.PyCapsule_SetName.argtypes = [ctypes.py_object, ctypes.c_char_p]
    managed = DLManagedTensor.from_address(api.PyCapsule_GetPointer(capsule, _NAME))
    tensor = managed.tensor
    if (tensor.code, tensor.bits, tensor.lanes) != (BFLOAT, 16, 1):
        return None  # the capsule's own destructor gives it back
    shape = tuple(tensor.shape[k] for k in range(tensor.ndim))
    strides: tuple[int, ...] | None = None
    if tensor.strides:
        strides = tuple(2 * tensor.strides[k] for k in range(tensor.ndim))
    out = np.empty(shape, np.uint16)
    if out.size:
        reach = 2 + sum((n - 1) * s for n, s in zip(shape, strides or out.strides, strict=True))
        memory = (ctypes.c_uint8 * reach).from_address(tensor.data + tensor.byte_offset)
        out[...] = np.ndarray(shape, np.uint16, memoryview(memory), strides=strides)
    api.PyCapsule_SetName(capsule, b"used_dltensor")
    if managed.deleter:
        managed.deleter(ctypes.byref(managed))
    return out.view(ml_dtypes.bfloat16)
