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
    defined = {
        name: each
        for name, each in vars(errors).items()
        if isinstance(each, type) and each.__module__ == errors.__name__
    }
    assert len(defined) > 10
    for name, error in defined.items():
        assert issubclass(error, ludoteca.LudotecaError)
        assert name in drawn


@given(
    st.text(min_size=1).filter(lambda text: text == text.strip()), st.text(min_size=1).filter(lambda x: x == x.strip())
)
def test_any_value_is_written_so_that_it_is_read_back(label: str, other: str) -> None:
    """Commas, quotes, parentheses, backslashes, equal signs: what is in one value never becomes another's."""
    known = [spec.Option("label", str, "", spec.Label("", "")), spec.Option("other", str, "", spec.Label("", ""))]
    text = spec.write("sample", known, {"label": label, "other": other})
    assert spec.split(text, errors.InvalidAgent) == ("sample", {"label": label, "other": other})


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("openspiel:game=hex(num_cols=3,num_rows=2)", {"game": "hex(num_cols=3,num_rows=2)"}),
        ("x:game=a(b=c(d=1,e=2),f=3),size=4", {"game": "a(b=c(d=1,e=2),f=3)", "size": "4"}),
        ('x:command="a, b",log=c', {"command": "a, b", "log": "c"}),
        ("x:a=(,b=)", {"a": "(,b=)"}),
        ('x:a=",b=c', {"a": '"', "b": "c"}),
        ("htp:/usr/bin/mohex --seed=1, 2", {"command": "/usr/bin/mohex --seed=1, 2"}),
        ("HTP: mohex", {"command": "mohex"}),
        ("htp:command=mohex,timeout=3", {"command": "mohex", "timeout": "3"}),
    ],
)  # fmt: skip
def test_commas_in_values(text: str, options: dict[str, str]) -> None:
    assert spec.split(text, errors.InvalidAgent)[1] == options


@pytest.mark.parametrize("text", ["hex:/etc/passwd", "hex:mohex", "htp:"])
def test_only_a_program_may_stand_without_its_key(text: str) -> None:
    with pytest.raises(errors.InvalidAgent, match="is not of the form key=value"):
        spec.split(text, errors.InvalidAgent)
