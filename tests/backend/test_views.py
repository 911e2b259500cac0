from __future__ import annotations

import gc
import sys
import weakref
from typing import TYPE_CHECKING

import numpy as np
import pytest
from jaxlib import _jax

from ownarray._backend import buffers
from ownarray._backend.views import View, export_copy, import_dlpack
from ownarray._core.aval import ShapedArray
from ownarray._core.dtypes import BY_NAME, SUB_BYTE
from tests.backend.helpers import adder

if TYPE_CHECKING:
    from typing_extensions import CapsuleType

    from ownarray._backend.buffers import HostArray

EXPORTED = [name for name in BY_NAME if BY_NAME[name] not in SUB_BYTE]


def _values(name: str = "float32") -> HostArray:
    return np.arange(6).reshape(2, 3).astype(BY_NAME[name])


class Capsule:
    """A producer of one capsule."""

    def __init__(self, capsule: CapsuleType) -> None:
        self.capsule = capsule

    def __dlpack_device__(self) -> tuple[int, int]:
        return (1, 0)

    def __dlpack__(self, **options: object) -> CapsuleType:
        return self.capsule


@pytest.mark.parametrize("name", BY_NAME)
@pytest.mark.parametrize("owner", ["xla", "numpy"])
def test_a_view_shows_the_values_read_only(name: str, owner: str) -> None:
    values = _values(name)
    token = View.of_buffer(buffers.from_host(values)) if owner == "xla" else View.of_memory(values)
    shown = token.array()
    assert shown.dtype == values.dtype
    assert shown.tobytes() == values.tobytes()
    assert not shown.flags.writeable
    with pytest.raises(ValueError, match="WRITEABLE"):
        shown.flags.writeable = True


@pytest.mark.parametrize("owner", ["xla", "numpy"])
@pytest.mark.parametrize("kind", ["array", "slice", "ravel", "memoryview", "dlpack", "consumed"])
def test_whatever_came_from_the_token_keeps_it_alive(owner: str, kind: str) -> None:
    values = _values()
    buf = buffers.from_host(values)
    token = View.of_buffer(buf) if owner == "xla" else View.of_memory(values)
    held: object
    if kind == "memoryview":
        held = token.memoryview()
    elif kind == "dlpack":
        held = token.dlpack((1, 0))
    elif kind == "consumed":
        held = np.from_dlpack(Capsule(token.dlpack((1, 0))))[0]
    else:
        shown = token.array()
        held = {"array": shown, "slice": shown[1, ::2], "ravel": shown.ravel()}[kind]
        del shown
    alive = weakref.ref(token)
    del token
    gc.collect()
    assert alive() is not None
    del held
    assert alive() is None


def test_a_view_of_nothing() -> None:
    buf = buffers.from_host(np.zeros((0, 3)))
    assert View.of_buffer(buf).array().shape == (0, 3)


def test_views_of_owned_memory_keep_its_strides() -> None:
    values = np.arange(12.0).reshape(3, 4).T[::-1]
    assert np.array_equal(View.of_memory(values).array(), values)


def test_a_donation_that_slipped_past_the_checks_copies_under_a_view() -> None:
    aval = ShapedArray((2, 3), BY_NAME["float32"])
    donor = buffers.from_host(_values())
    shown = View.of_buffer(donor).array()
    (result,) = adder(aval).run([donor, buffers.from_host(_values())])
    assert not buffers.is_deleted(donor)
    assert buffers.address(result) != shown.ctypes.data
    assert np.array_equal(shown, _values())
    assert np.array_equal(buffers.host_memory(result), 2 * _values())


def test_a_dead_view_leaves_the_address_to_the_donation() -> None:
    donor = buffers.from_host(_values())
    token = View.of_buffer(donor)
    before = token.array().ctypes.data
    del token
    aval = ShapedArray((2, 3), BY_NAME["float32"])
    (result,) = adder(aval).run([donor, buffers.from_host(_values())])
    assert buffers.address(result) == before


def test_memoryviews_are_read_only_and_typed() -> None:
    view = View.of_buffer(buffers.from_host(_values())).memoryview()
    assert view.readonly
    assert view.format == "f"
    assert view.tolist() == _values().tolist()
    with pytest.raises(BufferError, match=r"no format for bfloat16.*uint16"):
        View.of_memory(_values("bfloat16")).memoryview()


@pytest.mark.parametrize("name", EXPORTED)
def test_dlpack_export_says_read_only(name: str) -> None:
    values = _values(name)
    token = View.of_buffer(buffers.from_host(values))
    found = import_dlpack(Capsule(token.dlpack((1, 0))))
    assert found.dtype == values.dtype
    assert found.tobytes() == values.tobytes()
    assert not found.flags.writeable
    assert found.ctypes.data == token.array().ctypes.data


@pytest.mark.parametrize("version", [None, (0, 8)])
def test_consumers_that_cannot_be_told_read_only_get_a_copy(
    version: tuple[int, int] | None,
) -> None:
    values = _values()
    with pytest.raises(BufferError, match="read-only"):
        View.of_memory(values).dlpack(version)
    found = import_dlpack(Capsule(export_copy(values, version)))
    assert np.array_equal(found, values)
    values[0, 0] = 9
    assert found[0, 0] == 0


@pytest.mark.parametrize("name", EXPORTED)
def test_our_type_codes_are_those_of_xla(name: str) -> None:
    """XLA writes the capsule, we read it."""
    values = _values(name)
    buf = buffers.from_host(values)
    capsule = _jax.buffer_to_dlpack_managed_tensor(buf)
    found = import_dlpack(Capsule(capsule))
    assert found.dtype == values.dtype
    assert found.tobytes() == values.tobytes()


def test_int4_has_no_dlpack_type() -> None:
    with pytest.raises(BufferError, match="int4"):
        View.of_memory(_values("int4")).dlpack((1, 0))


def test_import_refuses_what_it_cannot_read() -> None:
    class OnGpu(Capsule):
        def __dlpack_device__(self) -> tuple[int, int]:
            return (2, 0)

    with pytest.raises(TypeError, match=r"expected an object with __dlpack__.*got a list"):
        import_dlpack([1.0])
    capsule = export_copy(_values(), None)
    with pytest.raises(BufferError, match="device type 2, not on the CPU"):
        import_dlpack(OnGpu(capsule))


def test_import_shares_memory() -> None:
    values = _values()
    assert import_dlpack(values).ctypes.data == values.ctypes.data
    assert "jax" not in sys.modules
