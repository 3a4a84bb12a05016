from __future__ import annotations

from typing import Annotated, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ludoteca
from ludoteca import errors, spec


def sample(
    depth: Annotated[int, "plies"] = 3,
    speed: float = 0.5,
    kind: Literal["slow", "fast"] = "slow",
    loud: bool = False,
    label: str = "x",
) -> None:
    """A function with one option of each kind."""


OPTIONS = spec.options(sample)


def test_options_are_read_from_the_signature() -> None:
    assert [option.name for option in OPTIONS] == ["depth", "speed", "kind", "loud", "label"]
    assert (OPTIONS[0].kind, OPTIONS[0].default, OPTIONS[0].help) == (int, 3, "plies")
    assert OPTIONS[2].choices == ("slow", "fast")


@given(
    st.fixed_dictionaries(
        {
            "depth": st.integers(),
            "speed": st.floats(allow_nan=False, allow_infinity=False),
            "kind": st.sampled_from(["slow", "fast"]),
            "loud": st.booleans(),
            "label": st.text("abcxyz-+@/ ", min_size=1).filter(lambda text: text == text.strip()),
        }
    )
)
def test_what_is_written_is_read_back(values: dict[str, object]) -> None:
    name, texts = spec.split(spec.write("sample", OPTIONS, values), errors.InvalidAgent)
    defaults = {option.name: option.default for option in OPTIONS}
    assert name == "sample"
    assert defaults | spec.read(name, OPTIONS, texts) == values


@pytest.mark.parametrize("text", ["hex:", "hex:size", "hex:size=", "hex:=3", "hex:size=3,", "hex:size=3,size=4"])
def test_a_string_of_another_form_is_no_game(text: str) -> None:
    with pytest.raises(ludoteca.InvalidGame, match="hex:"):
        ludoteca.game(text)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("depth=x", "not a whole number"),
        ("speed=x", "not a number"),
        ("kind=fas", "did you mean 'fast'"),
        ("loud=1", "false, true"),
    ],
)
def test_wrong_values_say_what_is_right(text: str, complaint: str) -> None:
    name, texts = spec.split(f"sample:{text}", errors.InvalidAgent)
    with pytest.raises(ludoteca.InvalidOption, match=complaint):
        spec.read(name, OPTIONS, texts)


def test_spaces_and_case_are_forgiven() -> None:
    assert ludoteca.game(" HEX: size = 5 , swap=True ").spec == "hex:size=5,swap=true"


def test_every_error_is_in_the_tree() -> None:
    drawn = errors.__doc__ or ""
    for name in errors.__all__:
        error = getattr(errors, name)
        assert issubclass(error, ludoteca.LudotecaError)
        assert name in drawn
