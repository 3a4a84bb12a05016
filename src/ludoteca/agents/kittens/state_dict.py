"""Reads a state dictionary that PyTorch saved (``.pt``, ``.pth``), without PyTorch and without running anything in it.

The file is a zip archive that holds, uncompressed:

====================  ===============================================================================================
``NAME/data.pkl``     a pickle of the dictionary: each tensor is a call of ``_rebuild_tensor_v2`` with a storage's key
``NAME/data/KEY``     the numbers of that storage
``NAME/byteorder``    ``little`` or ``big``; little if there is none
====================  ===============================================================================================

A pickle is a program for a small stack machine, which can import and call anything. So no unpickler reads it here: this
module interprets the few opcodes that a state dictionary needs. A name in the pickle stays a name. Nothing is imported.
"""

from __future__ import annotations

import math
import pickletools
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludoteca.messages import Message, say

MAX_FILE = 16 * 2**20
"""Bytes of the whole file, and of all storages together: four million weights."""
MAX_PICKLE = 256 * 2**10
"""Bytes of the pickle; it takes about 200 for each tensor."""
FLOATS = {"torch.HalfStorage": "f2", "torch.FloatStorage": "f4", "torch.DoubleStorage": "f8"}
SAVE = "torch.save(network.state_dict(), PATH)"


class Unfit(Exception):
    """A file is no network that this agent can play; `why` says why."""

    def __init__(self, why: Message) -> None:
        super().__init__(why)
        self.why = why


def check_size(size: int) -> None:
    """Raises Unfit for a file, or for what is packed in it, with more than MAX_FILE bytes."""
    if size > MAX_FILE:
        wrong = say("it has {size:,} bytes, and at most {most:,} are read", size=size, most=MAX_FILE)
        raise Unfit(wrong)


@dataclass(frozen=True)
class Name:
    """What the pickle calls by its name, such as torch.FloatStorage."""

    text: str


@dataclass(frozen=True)
class Storage:
    """Where a tensor's numbers lie: `data/KEY` in the archive."""

    kind: str
    key: str
    count: int


@dataclass(frozen=True)
class Tensor:
    """A view of a storage, as `torch._utils._rebuild_tensor_v2` makes it."""

    storage: Storage
    offset: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    """In numbers, not in bytes."""


class Damaged(Exception):
    """The pickle is not what PyTorch writes."""


def read_state_dict(path: Path) -> dict[str, NDArray[Any]]:
    """The tensors of the dictionary under their names. Raises Unfit, or what `zipfile` raises for a broken archive."""
    check_size(path.stat().st_size)
    if not zipfile.is_zipfile(path):
        raise Unfit(
            say("it is no file of PyTorch 1.6 or later; save the state dictionary again with {command}", command=SAVE)
        )
    with zipfile.ZipFile(path) as archive:
        pickles = [each for each in archive.namelist() if each == "data.pkl" or each.endswith("/data.pkl")]
        if len(pickles) != 1:
            raise Unfit(say("the archive has no data.pkl; save the state dictionary with {command}", command=SAVE))
        folder = pickles[0].removesuffix("data.pkl")
        tensors = _tensors(_interpret(_stored(archive, pickles[0], MAX_PICKLE)))
        big = f"{folder}byteorder" in archive.namelist() and _stored(archive, f"{folder}byteorder", 16) == b"big"
        numbers: dict[Storage, NDArray[Any]] = {}
        left = MAX_FILE
        for storage in {each.storage for each in tensors.values()}:
            if storage.kind not in FLOATS:
                raise Unfit(say("it holds {kind}; the weights must be float16, float32 or float64", kind=storage.kind))
            dtype = np.dtype((">" if big else "<") + FLOATS[storage.kind])
            raw = _stored(archive, f"{folder}data/{storage.key}", left)
            left -= len(raw)
            if not 0 <= storage.count <= len(raw) // dtype.itemsize:
                raise Unfit(say("storage {key} is shorter than it says", key=storage.key))
            numbers[storage] = np.frombuffer(raw, dtype, storage.count)
        return {name: _view(name, each, numbers[each.storage]) for name, each in tensors.items()}


def _stored(archive: zipfile.ZipFile, name: str, most: int) -> bytes:
    """The bytes of a member. PyTorch compresses nothing, so no member is longer than the file."""
    try:
        info = archive.getinfo(name)
    except KeyError:
        raise Unfit(say("the archive has no {name}", name=name)) from None
    if info.compress_type != zipfile.ZIP_STORED or info.file_size != info.compress_size:
        raise Unfit(say("{name} is compressed, which PyTorch never does", name=name))
    if info.file_size > most:
        raise Unfit(say("{name} is too large", name=name))
    return archive.read(info)


def _tensors(found: object) -> dict[str, Tensor]:
    if not isinstance(found, dict):
        raise Unfit(say("it holds no state dictionary; save one with {command}", command=SAVE))
    for key, value in found.items():
        if not isinstance(key, str) or not isinstance(value, Tensor):
            raise Unfit(
                say(
                    "{key} is no tensor: save the state dictionary alone, with {command}",
                    key=str(key)[:80],
                    command=SAVE,
                )
            )
    return found


def _view(name: str, tensor: Tensor, numbers: NDArray[Any]) -> NDArray[Any]:
    """A copy of the numbers that a tensor shows. Raises Unfit if it reaches outside its storage."""
    shape, offset = tensor.shape, tensor.offset
    strides = [0 if size == 1 else stride for size, stride in zip(shape, tensor.strides, strict=True)]
    last = offset + sum((size - 1) * stride for size, stride in zip(shape, strides, strict=True))
    inside = min((offset, *shape, *strides)) >= 0 and math.prod(shape) <= len(numbers) and last < len(numbers)
    if not inside or 0 in shape or len(shape) > 2:
        raise Unfit(say("{name} reaches outside its storage or is no weight or bias", name=name))
    step = numbers.itemsize
    return np.lib.stride_tricks.as_strided(numbers[offset:], shape, [each * step for each in strides]).copy()


def _interpret(pickled: bytes) -> object:
    """What the pickle describes, with `Tensor` for tensors. Raises Unfit for what no state dictionary needs."""
    try:
        return _run(pickled)
    except (Damaged, ValueError, IndexError, KeyError) as error:  # pickletools raises ValueError
        raise Unfit(say("its data.pkl is damaged")) from error


MARK = object()


def _run(pickled: bytes) -> object:
    stack: list[Any] = []
    memo: dict[int, Any] = {}
    argument: Any

    def pop_mark() -> list[Any]:
        at = len(stack) - 1
        while stack[at] is not MARK:
            at -= 1
            if at < 0:
                raise Damaged
        above = stack[at + 1 :]
        del stack[at:]
        return above

    def set_items(pairs: list[Any]) -> None:
        target = stack[-1]
        for key, value in zip(pairs[::2], pairs[1::2], strict=True):
            if not isinstance(target, dict) or not isinstance(key, str | int):  # other keys may be slow to hash
                raise Damaged
            target[key] = value

    def append(values: list[Any]) -> None:
        if not isinstance(stack[-1], list):
            raise Damaged
        stack[-1].extend(values)

    for opcode, argument, _ in pickletools.genops(pickled):
        match opcode.name:
            case "PROTO" | "FRAME":
                pass
            case "STOP":
                return stack.pop()
            case "MARK":
                stack.append(MARK)
            case "NONE" | "NEWTRUE" | "NEWFALSE":
                stack.append({"NONE": None, "NEWTRUE": True, "NEWFALSE": False}[opcode.name])
            case "BININT" | "BININT1" | "BININT2" | "LONG1" | "BINFLOAT":
                stack.append(argument)
            case "BINUNICODE" | "SHORT_BINUNICODE":
                stack.append(argument)
            case "EMPTY_DICT" | "EMPTY_LIST" | "EMPTY_TUPLE":
                stack.append({"EMPTY_DICT": dict, "EMPTY_LIST": list, "EMPTY_TUPLE": tuple}[opcode.name]())
            case "TUPLE":
                stack.append(tuple(pop_mark()))
            case "TUPLE1" | "TUPLE2" | "TUPLE3":
                size = int(opcode.name[-1])
                stack[-size:] = [tuple(stack[-size:])] if len(stack) >= size else _damaged()
            case "SETITEM":
                value, key = stack.pop(), stack.pop()
                set_items([key, value])
            case "SETITEMS":
                set_items(pop_mark())
            case "APPEND":
                append([stack.pop()])
            case "APPENDS":
                append(pop_mark())
            case "BINPUT" | "LONG_BINPUT":
                memo[argument] = stack[-1]
            case "MEMOIZE":
                memo[len(memo)] = stack[-1]
            case "BINGET" | "LONG_BINGET":
                stack.append(memo[argument])
            case "GLOBAL":
                stack.append(_name(argument.replace(" ", ".")))
            case "STACK_GLOBAL":
                name, module = stack.pop(), stack.pop()
                stack.append(
                    _name(f"{module}.{name}") if isinstance(module, str) and isinstance(name, str) else _damaged()
                )
            case "BINPERSID":
                stack.append(_storage(stack.pop()))
            case "REDUCE":
                arguments, function = stack.pop(), stack.pop()
                stack.append(_call(function, arguments))
            case "BUILD":  # a module's state_dict() has the attribute _metadata
                stack.pop()
                if not isinstance(stack[-1], dict):
                    raise Damaged
            case other:
                raise Unfit(say("its data.pkl uses the opcode {name}, which no state dictionary needs", name=other))
    raise Damaged


def _damaged() -> Any:
    raise Damaged


def _name(text: str) -> Name:
    if text not in CALLS and not (text.startswith("torch.") and text.endswith("Storage")):
        raise Unfit(
            say(
                "it names {name}, which is not run here; only a state dictionary is read, saved with {command}",
                name=text[:80],
                command=SAVE,
            )
        )
    return Name(text)


def _storage(found: object) -> Storage:
    match found:
        case ("storage", Name(kind), str(key), _, int(count)):
            return Storage(kind, key, count)
    raise Damaged


def _call(function: object, arguments: object) -> object:
    if not isinstance(function, Name) or function.text not in CALLS or not isinstance(arguments, tuple):
        raise Damaged
    return CALLS[function.text](arguments)


def _ordered_dict(arguments: tuple[Any, ...]) -> dict[Any, Any]:
    return {} if not arguments else _damaged()


def _tensor(arguments: tuple[Any, ...]) -> Tensor:
    match arguments:
        case (Storage() as storage, int(offset), tuple(shape), tuple(strides), *_):
            if len(shape) == len(strides) and all(type(each) is int for each in (*shape, *strides)):
                return Tensor(storage, offset, shape, strides)
    raise Damaged


def _parameter(arguments: tuple[Any, ...]) -> Tensor:
    match arguments:
        case (Tensor() as tensor, *_):
            return tensor
    raise Damaged


CALLS: dict[str, Callable[[tuple[Any, ...]], object]] = {
    "collections.OrderedDict": _ordered_dict,
    "torch._utils._rebuild_tensor_v2": _tensor,
    "torch._utils._rebuild_parameter": _parameter,
}
"""The functions that the pickle of a state dictionary calls, and what stands for them here."""
