"""Attributes of `ktdf_arch`: the map attribute, the intrinsic `ktdf_arch.*` properties and the features."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from xdsl.dialects.builtin import ArrayAttr, DenseArrayBase, DictionaryAttr, IntegerAttr, UnitAttr, i64
from xdsl.ir import Attribute, Operation, ParametrizedAttribute, TypeAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

PREFIX = "ktdf_arch."
FEATURE = "ktdf_arch.feature."
FEATURES = "ktdf_arch.features"
MAPS_TO = "ktdf_arch.maps_to"


@irdl_attr_definition
class MapAttr(ParametrizedAttribute):
    """`#ktdf_arch.map<key = value, ...>`: an ordered association list; keys are any attributes or types."""

    name = "ktdf_arch.map"
    keys: ArrayAttr
    values: ArrayAttr

    def __init__(self, entries: Sequence[tuple[Attribute, Attribute]]):
        super().__init__(ArrayAttr([key for key, _ in entries]), ArrayAttr([value for _, value in entries]))

    def verify(self) -> None:
        seen: list[Attribute] = []
        for key in self.keys:
            if key in seen:
                raise VerifyException(f"multiple entries for key {key}")
            seen.append(key)

    def items(self) -> Iterator[tuple[Attribute, Attribute]]:
        """The entries in order."""
        return zip(self.keys, self.values, strict=True)

    def get(self, key: Attribute) -> Attribute | None:
        """The value of `key`, None if it is not listed."""
        return next((value for candidate, value in self.items() if candidate == key), None)

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        keys: list[Attribute] = []
        values: list[Attribute] = []

        def entry() -> None:
            keys.append(parser.parse_attribute())
            parser.parse_punctuation("=")
            values.append(parser.parse_attribute())

        parser.parse_comma_separated_list(parser.Delimiter.ANGLE, entry)
        return [ArrayAttr(keys), ArrayAttr(values)]

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            for position, (key, value) in enumerate(self.items()):
                if position:
                    printer.print_string(", ")
                printer.print_attribute(key)
                printer.print_string(" = ")
                printer.print_attribute(value)


# ------------------------------------------------------------------------------------------------ verification


def _positive(attribute: Attribute | None) -> bool:
    return isinstance(attribute, IntegerAttr) and attribute.type == i64 and attribute.value.data > 0


def _check_unit(where: str, field: str, value: Attribute) -> None:
    if not isinstance(value, UnitAttr):
        raise VerifyException(f"'{where}' attribute '{field}' requires unit")


def _check_integer(where: str, field: str, value: Attribute) -> None:
    if not _positive(value):
        raise VerifyException(f"'{where}' attribute '{field}' requires a positive 64-bit integer")


def _check_map(where: str, field: str, value: Attribute) -> MapAttr:
    if not isinstance(value, MapAttr):
        raise VerifyException(f"'{where}' attribute '{field}' requires '#ktdf_arch.map'")
    return value


def _check_word_size(where: str, field: str, value: Attribute) -> None:
    for _, size in _check_map(where, field, value).items():
        _check_integer(where, field, size)


def _check_access(where: str, field: str, value: Attribute) -> None:
    for _, accesses in _check_map(where, field, value).items():
        if not isinstance(accesses, ArrayAttr):
            raise VerifyException(f"'{where}' attribute '{field}' requires arrays of dictionaries")
        for access in accesses:
            if not isinstance(access, DictionaryAttr):
                raise VerifyException(f"'{where}' attribute '{field}' requires arrays of dictionaries")
            if not _positive(access.data.get("size_in_words")):
                raise VerifyException(f"'{where}' attribute '{field}' requires positive 'size_in_words'")
            if "align_in_words" in access.data and not _positive(access.data["align_in_words"]):
                raise VerifyException(f"'{where}' attribute '{field}' requires positive 'align_in_words'")
            if extra := sorted(set(access.data) - {"size_in_words", "align_in_words"}):
                raise VerifyException(f"'{where}' attribute '{field}' has unknown field '{extra[0]}'")


def _check_lanes(where: str, field: str, value: Attribute) -> None:
    for key, count in _check_map(where, field, value).items():
        if not isinstance(key, TypeAttribute):
            raise VerifyException(f"'{where}' attribute '{field}' requires types as keys")
        if not (isinstance(count, IntegerAttr) and count.type == i64):
            raise VerifyException(f"'{where}' attribute '{field}' requires 64-bit integers")
        if count.value.data < 1:
            raise VerifyException(f"'{where}' attribute '{field}' requires positive numbers")


_Field = Callable[[str, str, Attribute], None]
_TRANSFER: dict[str, _Field] = {"word_size": _check_word_size, "access_granularity": _check_access}
_FEATURE_FIELDS: dict[str, tuple[str, dict[str, _Field]]] = {
    "compute": ("unit", {}),
    "load": ("unit", _TRANSFER),
    "store": ("unit", _TRANSFER),
    "simd": ("unit", {"splat": _check_unit, "zero_pad": _check_unit, "lanes": _check_lanes}),
    "queue": ("link", {"ordered": _check_unit, "size": _check_integer, "depth": _check_integer}),
}


def _verify_feature(key: str, value: Attribute, *, is_link: bool, is_unit: bool, is_device_op: bool) -> None:
    name = key.removeprefix(FEATURE)
    if name not in _FEATURE_FIELDS:
        raise VerifyException(f"unrecognized 'ktdf_arch' feature: '{key}'")
    place, fields = _FEATURE_FIELDS[name]
    if is_device_op and place == "unit" and not is_unit:
        raise VerifyException(f"'{key}' only valid on execution units")
    if is_device_op and place == "link" and not is_link:
        raise VerifyException(f"'{key}' only valid on links")
    if isinstance(value, UnitAttr):
        return
    if not isinstance(value, DictionaryAttr):
        raise VerifyException(f"'{key}' requires unit or dictionary attribute")
    if not fields and value.data:
        raise VerifyException(f"'{key}' requires unit attribute")
    for field, content in value.data.items():
        if field in fields:
            fields[field](key, field, content)
        elif "." not in field:
            raise VerifyException(f"'{key}' has unknown attribute '{field}'")


def verify_attributes(op: Operation) -> None:
    """Check the intrinsic `ktdf_arch.*` attributes of one operation; raises VerifyException."""
    is_device_op = op.name.startswith(PREFIX)
    is_link = op.name == "ktdf_arch.datapath"
    is_unit = op.name == "ktdf_arch.exec_unit"
    for key, value in op.attributes.items():
        if not key.startswith(PREFIX):
            continue
        if key == "ktdf_arch.bandwidth":
            if not is_link:
                raise VerifyException(f"'{key}' only valid on links")
            if not _positive(value):
                raise VerifyException(f"'{key}' requires a positive 64-bit integer")
        elif key == "ktdf_arch.transfer_granularity":
            if not is_link:
                raise VerifyException(f"'{key}' only valid on links")
            if not isinstance(value, DenseArrayBase) or value.elt_type != i64:
                raise VerifyException(f"'{key}' requires an array of 64-bit integers")
            sizes = [int(size) for size in value.get_values()]
            if any(size < 0 for size in sizes):
                raise VerifyException(f"'{key}' requires non-negative entries")
            if len(set(sizes)) != len(sizes):
                raise VerifyException(f"'{key}' has repeated entries")
        elif key == "ktdf_arch.overlaps":
            if not isinstance(value, ArrayAttr):
                raise VerifyException(f"'{key}' requires an array")
        elif key == MAPS_TO:
            if is_device_op:
                raise VerifyException(f"'{key}' not valid on 'ktdf_arch' operations")
        elif key == FEATURES:
            if not isinstance(value, DictionaryAttr):
                raise VerifyException(f"'{key}' requires a dictionary")
            for name, content in value.data.items():
                if name.startswith(FEATURE):
                    _verify_feature(name, content, is_link=is_link, is_unit=is_unit, is_device_op=is_device_op)
        else:
            raise VerifyException(f"unrecognized 'ktdf_arch' intrisic: '{key}'")


# ------------------------------------------------------------------------------------------------ matching


def _field(feature: Attribute, name: str) -> Attribute | None:
    return feature.data.get(name) if isinstance(feature, DictionaryAttr) else None


def _integer(attribute: Attribute | None) -> int | None:
    return attribute.value.data if isinstance(attribute, IntegerAttr) else None


def accesses_of(feature: Attribute, space: Attribute) -> list[tuple[int, int]]:
    """(size, alignment) in words of the accesses that a load or store feature lists for a memory."""
    granularity = _field(feature, "access_granularity")
    listed = granularity.get(space) if isinstance(granularity, MapAttr) else None
    if not isinstance(listed, ArrayAttr):
        return []
    pairs: list[tuple[int, int]] = []
    for access in listed:
        size = _integer(_field(access, "size_in_words"))
        if size is not None:
            pairs.append((size, _integer(_field(access, "align_in_words")) or 1))
    return pairs


def fit(accesses: Sequence[tuple[int, int]], min_size: int, max_align: int) -> tuple[int, int] | None:
    """The smallest access of at least `min_size` words and alignment at most `max_align`; ties to the smaller one."""
    fitting = [access for access in accesses if access[0] >= min_size and access[1] <= max_align]
    return min(fitting, default=None)


def feature_matches(name: str, required: Attribute, provided: Attribute) -> bool:
    """Whether a provided feature satisfies a requirement of the same name."""
    if required == provided:
        return True
    kind = name.removeprefix(FEATURE)
    if kind == "compute":
        return False
    if isinstance(required, UnitAttr):
        return True
    if not isinstance(required, DictionaryAttr):
        return False
    if kind in ("load", "store"):
        wanted = _field(required, "word_size")
        offered = _field(provided, "word_size")
        if isinstance(wanted, MapAttr):
            for space, size in wanted.items():
                have = offered.get(space) if isinstance(offered, MapAttr) else None
                if (_integer(have) or 1) != _integer(size):
                    return False
        granularity = _field(required, "access_granularity")
        spaces = [space for space, _ in granularity.items()] if isinstance(granularity, MapAttr) else []
        return all(
            fit(accesses_of(provided, space), size, align) is not None
            for space in spaces
            for size, align in accesses_of(required, space)
        )
    if kind == "simd":
        for flag in ("splat", "zero_pad"):
            if _field(required, flag) is not None and _field(provided, flag) is None:
                return False
        wanted, offered = _field(required, "lanes"), _field(provided, "lanes")
        return not isinstance(wanted, MapAttr) or all(
            (_integer(offered.get(key) if isinstance(offered, MapAttr) else None) or 0) >= (_integer(count) or 0)
            for key, count in wanted.items()
        )
    if kind == "queue":
        if _field(required, "ordered") is not None and _field(provided, "ordered") is None:
            return False
        return all(
            _field(required, field) is None
            or (_integer(_field(provided, field)) or 0) >= (_integer(_field(required, field)) or 0)
            for field in ("size", "depth")
        )
    return False
