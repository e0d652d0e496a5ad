"""The `stream` dialect: asynchronous scheduling of kernels, on four levels (tensor, async, cmd, resource)."""

from __future__ import annotations

from xdsl.ir import Dialect

from headrace.ir.dialects import (
    stream_async,
    stream_cmd,
    stream_executable,
    stream_regions,
    stream_resource,
    stream_tensor,
    stream_timeline,
)
from headrace.ir.dialects.stream_types import (
    BindingType,
    ChannelType,
    CollectiveAttr,
    FileType,
    NamedParameterAttr,
    PartitioningConfigAttr,
    ResourceConfigAttr,
    ResourceType,
    TimepointAttr,
    TimepointType,
)

Stream = Dialect(
    "stream",
    [
        *stream_tensor.OPERATIONS,
        *stream_async.OPERATIONS,
        *stream_regions.OPERATIONS,
        *stream_cmd.OPERATIONS,
        *stream_resource.OPERATIONS,
        *stream_timeline.OPERATIONS,
        *stream_executable.OPERATIONS,
    ],
    [
        ResourceType,
        TimepointType,
        FileType,
        ChannelType,
        BindingType,
        PartitioningConfigAttr,
        ResourceConfigAttr,
        TimepointAttr,
        CollectiveAttr,
        NamedParameterAttr,
    ],
)
