"""Blobs of `dense_resource<key>`: the strings of the `{-# dialect_resources: ... #-}` section after a module.

The blob travels with the attribute, so that it is printed again wherever the attribute ends up.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from xdsl.dialects.builtin import DenseResourceAttr


@dataclass
class Blob:
    """The text of a resource, `0x...` with alignment and data; None until the section has been read."""

    text: str | None = None


def with_blob(attribute: DenseResourceAttr, blob: Blob) -> DenseResourceAttr:
    """The attribute, carrying its blob (which does not take part in comparisons)."""
    object.__setattr__(attribute, "blob", blob)
    return attribute


def blob_of(attribute: DenseResourceAttr) -> Blob | None:
    """The blob an attribute carries."""
    return getattr(attribute, "blob", None)


def parse_metadata(parser: Any) -> None:
    """Read `{-# dialect_resources: {...}, external_resources: {...} #-}`; blobs of the builtin dialect are kept."""

    def resource(dialect: str | None) -> None:
        key = parser.parse_optional_identifier()
        if key is None:
            key = parser.parse_str_literal()
        parser.parse_punctuation(":")
        at = parser.pos
        value = parser.parse_optional_str_literal()
        if value is None and parser.parse_optional_boolean() is None:
            parser.parse_integer()
        if dialect is None:
            return
        if value is None or not value.startswith("0x"):
            parser.raise_error("expected a hexadecimal string that starts with '0x'", at)
        digits = value[2:]  # pyright: ignore[reportOptionalSubscript]
        try:
            size = len(bytes.fromhex(digits))
        except ValueError:
            parser.raise_error("expected an even number of hexadecimal digits", at)
        if size < 4:  # pyright: ignore[reportPossiblyUnboundVariable]
            parser.raise_error("expected at least 4 bytes, the alignment of the blob", at)
        handle = parser.resources.get(key)
        if dialect == "builtin" and handle is not None:
            handle.text = value

    def group(keep: bool) -> None:
        name = parser.parse_identifier()
        parser.parse_punctuation(":")
        parser.parse_comma_separated_list(parser.Delimiter.BRACES, lambda: resource(name if keep else None))

    def element() -> None:
        at = parser.pos
        name = parser.parse_identifier()
        parser.parse_punctuation(":")
        if name not in ("dialect_resources", "external_resources"):
            parser.raise_error(f"unknown key '{name}' in file metadata dictionary", at)
        parser.parse_comma_separated_list(parser.Delimiter.BRACES, lambda: group(name == "dialect_resources"))

    parser.parse_comma_separated_list(parser.Delimiter.METADATA_TOKEN, element)


def metadata_text(blobs: dict[str, Blob]) -> str:
    """The section after a module, empty if no blob is known."""
    known = [(key, blob.text) for key, blob in blobs.items() if blob.text is not None]
    if not known:
        return ""
    lines = ",\n".join(f'      {key}: "{text}"' for key, text in known)
    return f"\n{{-#\n  dialect_resources: {{\n    builtin: {{\n{lines}\n    }}\n  }}\n#-}}\n"
