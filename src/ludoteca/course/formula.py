"""A grade's formula: arithmetic over what is known of a submission, and nothing else."""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ludoteca.errors import InvalidOption
from ludoteca.messages import Message, say

NAMES: Mapping[str, Message] = {
    "score": say("its share of the points, from 0 to 1"),
    "points": say("its points: 1 for a win, a half for a draw"),
    "matches": say("the matches that its points are out of"),
    "place": say("its place, 1 for the first"),
    "count": say("how many submissions were placed"),
    "qualified": say("1 if it took part, else 0"),
    "faults": say("the matches that it lost by a fault"),
    "elo": say("its rating in Elo; 0 is the mean"),
}
"""What a formula may speak of."""


def _known(choose: Callable[..., float]) -> Callable[..., float]:
    """Min or max, but NaN where one of the values is: what is not known is neither the least nor the most."""
    return lambda *values: math.nan if any(map(math.isnan, values)) else choose(values)


FUNCTIONS: Mapping[str, Callable[..., float]] = {"min": _known(min), "max": _known(max), "round": round, "abs": abs}
OPERATORS: Mapping[type[ast.AST], Callable[..., float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
}
LONGEST = 400
"""Characters."""


@dataclass(frozen=True)
class Formula:
    """Sums, differences, products and quotients of numbers and names, with min, max, round and abs.

    >>> Formula.parse("4 * qualified + 6 * score").value({"qualified": 1, "score": 0.75})
    8.5
    """

    text: str
    tree: ast.expr

    @classmethod
    def parse(cls, text: str) -> Formula:
        """Raises InvalidOption for anything but arithmetic."""
        if len(text) > LONGEST:
            raise InvalidOption("a formula has at most {most} characters", most=LONGEST)
        try:
            tree = ast.parse(text.strip(), mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            raise InvalidOption(say("this is no arithmetic, as in 4 * qualified + 6 * score")) from None
        formula = cls(text, tree)
        formula._check(tree)
        return formula

    def value(self, known: Mapping[str, float]) -> float:
        """The grade, with two decimals; NaN where something is divided by 0, is not known or has no end."""
        try:
            grade = round(float(self._value(self.tree, known)), 2)
        except (ZeroDivisionError, OverflowError, ValueError):
            return math.nan
        return grade if math.isfinite(grade) else math.nan

    def _check(self, node: ast.expr) -> None:
        match node:
            case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
                return
            case ast.Name(id=name):
                if name not in NAMES:
                    raise InvalidOption("{name} is not known; it may say {names}", name=name, names=[*NAMES])
            case ast.BinOp(left=left, op=op, right=right) if type(op) in OPERATORS:
                self._check(left)
                self._check(right)
            case ast.UnaryOp(op=op, operand=operand) if type(op) in OPERATORS:
                self._check(operand)
            case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if name in FUNCTIONS and args:
                for each in args if name in ("min", "max") else args[:1]:
                    self._check(each)
                if name in ("min", "max") and len(args) < 2:
                    raise InvalidOption("{name} takes at least two values", name=name)
                if name == "abs" and len(args) > 1:
                    raise InvalidOption(say("abs takes one value"))
                if name == "round" and not _is_digits(args[1:]):
                    raise InvalidOption(say("round takes a value and a whole number of decimals from 0 to 6"))
            case _:
                part = ast.unparse(node)
                raise InvalidOption("{part} is no arithmetic; it may use + - * / ( ) min max round abs", part=part[:60])

    def _value(self, node: ast.expr, known: Mapping[str, float]) -> float:
        match node:
            case ast.Constant(value=int() | float() as number):
                return number
            case ast.Name(id=name):
                return known[name]
            case ast.BinOp(left=left, op=op, right=right):
                return OPERATORS[type(op)](self._value(left, known), self._value(right, known))
            case ast.UnaryOp(op=op, operand=operand):
                return OPERATORS[type(op)](self._value(operand, known))
            case ast.Call(func=ast.Name(id=name), args=args):
                return FUNCTIONS[name](*(self._value(each, known) for each in args))
        raise AssertionError(ast.dump(node))


def _is_digits(rest: list[ast.expr]) -> bool:
    """Whether these are the further arguments of round: none, or one small whole number."""
    match rest:
        case []:
            return True
        case [ast.Constant(value=int() as digits)]:
            return 0 <= digits <= 6
    return False
