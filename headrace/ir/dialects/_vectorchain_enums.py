"""Enumerations of the `vectorchain` dialect."""

from __future__ import annotations

from enum import StrEnum

from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import SpacedOpaqueSyntaxAttribute
from xdsl.irdl import irdl_attr_definition


class BinaryOperator(StrEnum):
    """Lane-wise operators; `abs_min`/`abs_max` act on magnitudes, `mul_div2` is a*b/2, `and_not` is a & ~b."""

    AND = "and0"
    OR = "or0"
    XNOR = "xnor"
    AND_NOT = "and_not"
    MIN = "min"
    MAX = "max"
    ABS_MIN = "abs_min"
    ABS_MAX = "abs_max"
    ADD = "add"
    MUL = "mul"
    SUB = "sub"
    MUL_DIV2 = "mul_div2"


class CompareOperator(StrEnum):
    """Lane-wise comparisons."""

    EQ = "compare_eq"
    NEQ = "compare_neq"
    LT = "compare_lt"
    LE = "compare_le"
    GT = "compare_gt"
    GE = "compare_ge"


class ExpEstimateVersion(StrEnum):
    """Variants of the exp estimate."""

    A = "a"
    B = "b"


class EstimateVersions(StrEnum):
    """Which coefficient of a piecewise-linear estimate."""

    SLOPE = "slope"
    OFFSET = "offset"


class EvalOrder(StrEnum):
    """Direction of a scan."""

    LEFT_TO_RIGHT = "left_to_right"
    RIGHT_TO_LEFT = "right_to_left"


@irdl_attr_definition
class BinaryOperatorAttr(EnumAttribute[BinaryOperator], SpacedOpaqueSyntaxAttribute):  # pyright: ignore
    """`#vectorchain<binary_operator mul>`."""

    name = "vectorchain.binary_operator"


@irdl_attr_definition
class CompareOperatorAttr(EnumAttribute[CompareOperator], SpacedOpaqueSyntaxAttribute):  # pyright: ignore
    """`#vectorchain<element_wise_compare_operator compare_lt>`."""

    name = "vectorchain.element_wise_compare_operator"


@irdl_attr_definition
class ExpEstimateAttr(EnumAttribute[ExpEstimateVersion], SpacedOpaqueSyntaxAttribute):  # pyright: ignore
    """`#vectorchain<exp_estimate a>`."""

    name = "vectorchain.exp_estimate"


@irdl_attr_definition
class EstimateVersionsAttr(EnumAttribute[EstimateVersions], SpacedOpaqueSyntaxAttribute):  # pyright: ignore
    """`#vectorchain<estimate_versions slope>`."""

    name = "vectorchain.estimate_versions"


@irdl_attr_definition
class EvalOrderAttr(EnumAttribute[EvalOrder], SpacedOpaqueSyntaxAttribute):  # pyright: ignore
    """`#vectorchain<eval_order left_to_right>`."""

    name = "vectorchain.eval_order"
