"""The sizes in a PyTorch program that depend on its inputs' sizes, worked out without eval.

The archive writes them as SymPy's text, such as "Mul(Integer(2), Symbol('s0', integer=True))";
PyTorch hands that text to `sympify`, which runs it as Python.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import lru_cache

_MAX_TEXT = 20_000
_MAX_BITS = 128
_NUMBERS = {"Integer", "Float", "Rational"}

_OPERATORS: dict[type[ast.operator], str] = {
    ast.Add: "Add",
    ast.Sub: "Sub",
    ast.Mult: "Mul",
    ast.FloorDiv: "FloorDiv",
    ast.Mod: "Mod",
    ast.Pow: "Pow",
    ast.Div: "IntTrueDiv",
}


def _power(base: Fraction, exponent: Fraction) -> Fraction:
    bits = max(base.numerator.bit_length(), base.denominator.bit_length())
    if exponent.denominator != 1 or abs(exponent) * bits > _MAX_BITS:
        raise ValueError("too large a power")
    return Fraction(base ** int(exponent))


_FUNCTIONS: dict[str, Callable[..., Fraction]] = {
    "Add": lambda *terms: sum(terms, Fraction(0)),
    "Sub": lambda a, b: a - b,
    "Mul": lambda *factors: math.prod(factors, start=Fraction(1)),
    "Pow": _power,
    "PowByNatural": _power,
    "FloorDiv": lambda a, b: Fraction(a // b),
    "CleanDiv": lambda a, b: Fraction(a // b),
    "CeilDiv": lambda a, b: Fraction(-(-a // b)),
    "IntTrueDiv": lambda a, b: a / b,
    "FloatTrueDiv": lambda a, b: a / b,
    "Mod": lambda a, b: a % b,
    "PythonMod": lambda a, b: a % b,
    "ModularIndexing": lambda a, b, c: Fraction(a // b % c),
    "Max": lambda *values: max(values),
    "Min": lambda *values: min(values),
    "Abs": abs,
    "FloorToInt": lambda a: Fraction(math.floor(a)),
    "CeilToInt": lambda a: Fraction(math.ceil(a)),
    "TruncToInt": lambda a: Fraction(math.trunc(a)),
    "floor": lambda a: Fraction(math.floor(a)),
    "ceiling": lambda a: Fraction(math.ceil(a)),
    "ToFloat": lambda a: a,
    "Identity": lambda a: a,
}


class Unknown(Exception):
    """A symbol without a value; its name is the argument."""


def value_of(text: str, values: Mapping[str, int]) -> Fraction:
    """What the expression comes to.

    Raises Unknown for a symbol that `values` lacks, ValueError for what is no such expression.
    """
    try:
        return _value(_tree(text), values)
    except (ArithmeticError, TypeError, RecursionError) as error:
        raise ValueError(f"no size: {text[:80]}") from error


def symbol_in(text: str) -> str | None:
    """The name of the symbol that the whole expression is, None where it is more than that."""
    tree = _tree(text)
    return _symbol(tree)


@lru_cache(maxsize=4096)
def _tree(text: str) -> ast.expr:
    if len(text) > _MAX_TEXT:
        raise ValueError("too long an expression")
    try:
        return ast.parse(text, mode="eval").body
    except (SyntaxError, MemoryError, RecursionError) as error:
        raise ValueError(f"no expression: {text[:80]}") from error


def _symbol(tree: ast.expr) -> str | None:
    if isinstance(tree, ast.Name):
        return tree.id
    if not (isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name)):
        return None
    first = tree.args[0] if tree.args else None
    if tree.func.id == "Symbol" and isinstance(first, ast.Constant):
        return first.value if isinstance(first.value, str) else None
    return None


def _value(tree: ast.expr, values: Mapping[str, int]) -> Fraction:
    if (name := _symbol(tree)) is not None:
        if name not in values:
            raise Unknown(name)
        return Fraction(values[name])
    if isinstance(tree, ast.Constant) and isinstance(tree.value, int | float):
        return Fraction(tree.value)
    if isinstance(tree, ast.UnaryOp) and isinstance(tree.op, ast.USub):
        return -_value(tree.operand, values)
    if isinstance(tree, ast.BinOp) and type(tree.op) in _OPERATORS:
        function = _FUNCTIONS[_OPERATORS[type(tree.op)]]
        return function(_value(tree.left, values), _value(tree.right, values))
    if isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name):
        arguments = [_value(argument, values) for argument in tree.args]
        if tree.func.id in _NUMBERS:
            return arguments[0] / (arguments[1] if tree.func.id == "Rational" else 1)
        if tree.func.id in _FUNCTIONS:
            return _FUNCTIONS[tree.func.id](*arguments)
    raise ValueError(f"no size: {ast.dump(tree)[:80]}")
