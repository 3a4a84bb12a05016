"""``ludoteca train`` before PyTorch is imported."""

from __future__ import annotations

import os

import pytest

from ludoteca.terminal.train import limit_threads


def test_pytorch_gets_as_many_threads_as_were_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    for words, number in (
        ((), "1"), (("--seed", "3"), "1"), (("--threads", "4"), "4"), (("--threads=2", "--seed", "1"), "2"),
        (("--threads",), "1"),
    ):  # fmt: skip
        monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
        limit_threads(words)
        assert os.environ["OMP_NUM_THREADS"] == number
    limit_threads(("--threads", "3"))
    assert os.environ["OMP_NUM_THREADS"] == "1", "what is set already stays"
    monkeypatch.delenv("OMP_NUM_THREADS")
    limit_threads(("--threads", "many"))
    assert "OMP_NUM_THREADS" not in os.environ, "the training refuses it"
