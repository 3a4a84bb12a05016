"""State dictionaries of PyTorch's: written here by hand, opcode by opcode, by friends and by attackers."""

from __future__ import annotations

import contextlib
import itertools
import os
import pickle
import struct
import zipfile
from collections import OrderedDict
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import ludoteca
from ludoteca.agents.kittens.networks import load
from ludoteca.agents.kittens.state_dict import MAX_FILE, MAX_PICKLE, read_state_dict

pytestmark = pytest.mark.no_sanitize

Arrays = dict[str, NDArray[np.float32]]
START, STOP = b"\x80\x02", b"."
TENSOR = b"ctorch._utils\n_rebuild_tensor_v2\n"


def text(value: str) -> bytes:
    raw = value.encode()
    return b"X" + struct.pack("<I", len(raw)) + raw


def number(value: int) -> bytes:
    raw = value.to_bytes(12, "little", signed=True)
    return b"\x8a" + bytes([len(raw)]) + raw


def numbers(values: tuple[int, ...]) -> bytes:
    return b"(" + b"".join(map(number, values)) + b"t"


def storage(key: str, count: int, kind: str = "FloatStorage") -> bytes:
    return (
        b"(" + text("storage") + b"ctorch\n" + kind.encode() + b"\n" + text(key) + text("cpu") + number(count) + b"tQ"
    )


def tensor(stored: bytes, shape: tuple[int, ...], strides: tuple[int, ...], offset: int = 0) -> bytes:
    """As torch.save writes it: the last two are requires_grad and the hooks."""
    rest = numbers(shape) + numbers(strides) + b"\x89" + b"ccollections\nOrderedDict\n)R"
    return TENSOR + b"(" + stored + number(offset) + rest + b"tR"


def dictionary(items: dict[str, bytes]) -> bytes:
    """An OrderedDict with the attribute _metadata, which every module's state_dict() has."""
    pairs = b"".join(text(name) + value for name, value in items.items())
    return b"ccollections\nOrderedDict\n)R(" + pairs + b"u}" + text("_metadata") + b"}sb"


def archive(path: Path, pickled: bytes, storages: dict[str, bytes], **more: Any) -> Path:
    with zipfile.ZipFile(path, "w", more.get("compression", zipfile.ZIP_STORED)) as file:
        file.writestr("mine/data.pkl", START + pickled + STOP)
        for name, raw in storages.items():
            file.writestr(f"mine/{name}", raw)
    return path


def saved(path: Path, arrays: Arrays) -> Path:
    items = {}
    for key, (name, array) in enumerate(arrays.items()):
        strides = tuple(each // array.itemsize for each in array.strides)
        items[name] = tensor(storage(str(key), array.size), array.shape, strides)
    raw = {f"data/{key}": array.tobytes() for key, array in enumerate(arrays.values())}
    return archive(path, dictionary(items), raw | {"byteorder": b"little", "version": b"3\n"})


def network(*sizes: int) -> Arrays:
    """Random weights of linear layers, under PyTorch's names for a Sequential with ReLU between them."""
    chance = np.random.default_rng(1)
    out: Arrays = {}
    for layer, (wide, tall) in enumerate(itertools.pairwise(sizes)):
        out[f"net.{2 * layer}.weight"] = chance.normal(size=(tall, wide)).astype(np.float32)
        out[f"net.{2 * layer}.bias"] = chance.normal(size=tall).astype(np.float32)
    return out


@pytest.mark.parametrize("hidden", [(128, 128), (256, 256, 128), (5,)])
def test_a_state_dictionary_plays_as_the_same_arrays_do(hidden: tuple[int, ...], tmp_path: Path) -> None:
    arrays = network(11, *hidden, 9)
    np.savez(tmp_path / "mine.npz", **arrays)  # type: ignore[arg-type]
    saved(tmp_path / "mine.pth", arrays)
    seen = np.random.default_rng(2).normal(size=(3, 11)).astype(np.float32)
    assert np.array_equal(load(tmp_path / "mine.pth").run(seen), load(tmp_path / "mine.npz").run(seen))
    game = ludoteca.game("kittens:rules=original")
    view = game.deal(1).view(0)
    decisions = [
        ludoteca.agent(f"dqn:weights={tmp_path / name}")(game, 0, 0).act(view, ludoteca.Limit())
        for name in ("mine.pth", "mine.npz")
    ]
    assert decisions[0] == decisions[1]


def test_views_of_one_storage_and_other_floats(tmp_path: Path) -> None:
    shared = np.arange(12, dtype=">f8")
    items = {
        "transposed": tensor(storage("0", 12, "DoubleStorage"), (4, 3), (1, 4)),
        "behind": tensor(storage("0", 12, "DoubleStorage"), (2,), (1,), offset=10),
        "half": b"ctorch._utils\n_rebuild_parameter\n("
        + tensor(storage("1", 3, "HalfStorage"), (1, 3), (99, 1))
        + b"\x88}tR",
    }
    half = np.array([1, 2, 3], ">f2").tobytes()
    path = archive(
        tmp_path / "a.pt", dictionary(items), {"data/0": shared.tobytes(), "data/1": half, "byteorder": b"big"}
    )
    read = read_state_dict(path)
    assert np.array_equal(read["transposed"], np.arange(12).reshape(3, 4).T)
    assert read["behind"].tolist() == [10, 11] and read["half"].tolist() == [[1, 2, 3]]


class Acts:
    """Pickles as a call, which an unpickler makes."""

    def __init__(self, function: Any, *arguments: Any) -> None:
        self.call = function, arguments

    def __reduce__(self) -> tuple[Any, ...]:
        return self.call


def attacks(marker: Path) -> dict[str, bytes]:
    """Pickles that write the file when an unpickler reads them."""
    write = f"open({str(marker)!r}, 'w').close()"
    command = f"touch {marker}"
    inside: Any = OrderedDict({"net.0.weight": Acts(os.system, command)})
    made: dict[str, Any] = {
        "system": Acts(os.system, command),
        "eval": Acts(eval, write),
        "a value of the dictionary": inside,
        "nested": Acts(list, (Acts(exec, write), "x")[:1]),
        "a later protocol": Acts(os.system, command),
    }
    out = {name: pickle.dumps(each, 4 if "later" in name else 2) for name, each in made.items()}
    module = b"c__builtin__\n__import__\n" + text("os") + b"\x85R"
    system = b"c__builtin__\ngetattr\n(" + module + text("system") + b"tR"
    out["getattr"] = START + system + text(command) + b"\x85R" + STOP
    out["the old opcodes"] = b"(S" + repr(command).encode() + b"\nios\nsystem\n."
    out["after the tensors"] = START + b"}cos\nsystem\n" + text(command) + b"\x85R0" + STOP
    out["as state"] = START + b"ccollections\nOrderedDict\n)R" + b"cos\nsystem\n" + text(command) + b"\x85R0" + STOP
    return out


def test_nothing_in_a_file_is_run(tmp_path: Path) -> None:
    marker = tmp_path / "was-here"
    for name, pickled in attacks(marker).items():
        pickle.loads(pickled)
        assert marker.exists(), f"{name} is no attack"
        marker.unlink()
        path = tmp_path / f"{name}.pth"
        with zipfile.ZipFile(path, "w") as file:
            file.writestr("mine/data.pkl", pickled)
        bare = tmp_path / f"bare {name}.pth"
        bare.write_bytes(pickled)
        for each in (path, bare):
            with pytest.raises(ludoteca.InvalidOption):
                ludoteca.agent(f"dqn:weights={each}")(ludoteca.game("kittens:rules=original"), 0, 0)
            assert not marker.exists(), name


FOUR = {"data/0": np.arange(4, dtype="<f4").tobytes()}
DEEP = b")" + b"\x85" * (MAX_PICKLE - 1000)


@pytest.mark.parametrize(
    ("pickled", "reason"),
    [
        (dictionary({"0.weight": tensor(storage("0", 4), (2, 2), (2, 1), offset=1)}), "outside its storage"),
        (dictionary({"0.weight": tensor(storage("0", 4), (2, 2), (2, 1), offset=-1)}), "outside its storage"),
        (dictionary({"0.weight": tensor(storage("0", 4), (2, 2), (-2, 1), offset=3)}), "outside its storage"),
        (dictionary({"0.weight": tensor(storage("0", 4), (-2, -2), (2, 1))}), "outside its storage"),
        (dictionary({"0.weight": tensor(storage("0", 4), (2**40, 2**40), (0, 0))}), "outside its storage"),
        (dictionary({"0.weight": tensor(storage("0", 4), (0, 2**80), (0, 0))}), "outside its storage"),
        (dictionary({"0.weight": tensor(storage("0", 4), (2, 2), (2**80, 1))}), "outside its storage"),
        (dictionary({"0.weight": tensor(storage("0", 4), (1,) * 99, (1,) * 99)}), "outside its storage"),
        (dictionary({"0.weight": tensor(storage("0", 5), (2, 2), (2, 1))}), "storage 0 is shorter than it says"),
        (dictionary({"0.weight": tensor(storage("0", 2**80), (2, 2), (2, 1))}), "storage 0 is shorter than it says"),
        (dictionary({"0.weight": tensor(storage("0", -1), (2, 2), (2, 1))}), "storage 0 is shorter than it says"),
        (dictionary({"0.weight": tensor(storage("../../7", 4), (2, 2), (2, 1))}), "has no mine/data/../../7"),
        (dictionary({"0.weight": tensor(storage("0", 4, "LongStorage"), (2,), (1,))}), "the weights must be float16"),
        (dictionary({"0.weight": tensor(storage("0", 4), (2, 2), (2,))}), "damaged"),
        (dictionary({"0.weight": TENSOR + b")R"}), "damaged"),
        (dictionary({"model_state_dict": dictionary({}), "epoch": number(7)}), "model_state_dict is no tensor"),
        (b"]", "holds no state dictionary"),
        (b"c__main__\nQNetwork\n)\x81", "names __main__.QNetwork, which is not run here"),
        (b"}" + DEEP + number(1) + b"s", "damaged"),
        (b"\x8e" + struct.pack("<Q", 2**62) + b"x", "damaged"),
        (b"}r\xff\xff\xff\xffh\x01", "damaged"),
        (b"tRsQ", "damaged"),
        (b"", "damaged"),
        (b"N" * MAX_PICKLE, "too large"),
    ],
)
def test_what_does_not_fit_is_refused_with_the_reason(pickled: bytes, reason: str, tmp_path: Path) -> None:
    path = archive(tmp_path / "bad.pth", pickled, FOUR)
    with pytest.raises(ludoteca.InvalidOption) as error:
        load(path)
    assert reason in str(error.value)


def test_broken_and_foreign_archives(tmp_path: Path) -> None:
    good = saved(tmp_path / "good.pth", network(11, 4, 9))
    whole = good.read_bytes()
    (tmp_path / "cut.pth").write_bytes(whole[:-50])
    (tmp_path / "legacy.pth").write_bytes(pickle.dumps(0x1950A86A20F9469CFC6C, 2))
    archive(tmp_path / "bomb.pth", dictionary({}), {"data/0": bytes(10**6)}, compression=zipfile.ZIP_DEFLATED)
    with zipfile.ZipFile(tmp_path / "other.pth", "w") as file:
        file.writestr("notes.txt", "hello")
    with (tmp_path / "huge.pth").open("wb") as sparse:
        sparse.truncate(MAX_FILE + 1)
    lying = bytearray(whole)
    at = whole.index(b"PK\x01\x02")
    lying[at + 20 : at + 28] = struct.pack("<II", 2**31, 2**31)  # both sizes of data.pkl
    (tmp_path / "lying.pth").write_bytes(lying)
    for name, reason in (
        ("cut", "no file of PyTorch 1.6 or later"),
        ("legacy", "no file of PyTorch 1.6 or later"),
        ("bomb", "data.pkl is compressed"),
        ("other", "has no data.pkl"),
        ("huge", "at most 16,777,216 are read"),
        ("lying", "data.pkl is too large"),
    ):
        with pytest.raises(ludoteca.InvalidOption) as error:
            load(tmp_path / f"{name}.pth")
        assert reason in str(error.value), (name, error.value)


def test_a_damaged_file_never_raises_anything_else(tmp_path: Path) -> None:
    whole = saved(tmp_path / "good.pth", network(11, 2, 9)).read_bytes()
    chance = np.random.default_rng(3)
    for trial in range(300):
        broken = bytearray(whole)
        for at in chance.integers(0, len(whole), chance.integers(1, 6)):
            broken[at] = chance.integers(256)
        path = tmp_path / f"{trial}.pth"
        path.write_bytes(broken)
        with contextlib.suppress(ludoteca.InvalidOption):
            load(path)


def npy(header: str, data: bytes = b"") -> bytes:
    text = header.encode().ljust(117) + b"\n"
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text + data


def test_hostile_arrays_are_refused_before_they_are_unpacked(tmp_path: Path) -> None:
    float32 = "{'descr': '<f4', 'fortran_order': False, 'shape': (%s)}"
    zeros = bytes(MAX_FILE)  # which packs into a few kilobytes
    attacks = {
        "bomb": ({"0.weight.npy": npy(float32 % "1, 4194304", zeros)}, f"at most {MAX_FILE:,} are read"),
        "many": ({f"{n}.weight.npy": npy(float32 % "1, 9", zeros[: 2**20]) for n in range(17)}, "at most"),
        "shape": ({"0.weight.npy": npy(float32 % "1000000000000, 11")}, "is not what its 0 bytes hold"),
        "wraps": ({"0.weight.npy": npy(float32 % f"{2**32}, {2**32}")}, "is not what its 0 bytes hold"),
        "negative": ({"0.weight.npy": npy(float32 % "-1, 11", zeros[:44])}, "is not what its 44 bytes hold"),
        "objects": (
            {"0.weight.npy": npy("{'descr': '|O', 'fortran_order': False, 'shape': (1,)}", b"x" * 8)},
            "object",
        ),
        "text": ({"0.weight.npy": b"hello"}, "is no network"),
    }
    for name, (members, reason) in attacks.items():
        path = tmp_path / f"{name}.npz"
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for member, data in members.items():
                archive.writestr(member, data)
        assert path.stat().st_size < 100_000
        with pytest.raises(ludoteca.InvalidOption, match="is no network for this agent") as refused:
            load(path)
        assert reason in str(refused.value), name
    (tmp_path / "large.npz").write_bytes(bytes(MAX_FILE + 1))
    with pytest.raises(ludoteca.InvalidOption, match=f"{MAX_FILE + 1:,} bytes, and at most {MAX_FILE:,}"):
        load(tmp_path / "large.npz")


def test_arrays_of_columns_are_read_too(tmp_path: Path) -> None:
    weight = np.arange(99, dtype=np.float64).reshape(9, 11)
    arrays = {"0.weight": np.asfortranarray(weight), "0.bias": np.zeros(9)}
    np.savez_compressed(tmp_path / "mine.npz", **arrays)  # type: ignore[arg-type]
    seen = np.arange(11, dtype=np.float32)[None]
    assert np.allclose(load(tmp_path / "mine.npz").run(seen), seen @ weight.T)
