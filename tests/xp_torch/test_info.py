"""The chapter *Inspection*."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

import xp_torch
from tests.cases import label
from tests.differential import compare
from xp_torch._core.dtypes import KINDS

kinds = st.sampled_from([*KINDS, "integer"])


@given(st.one_of(st.none(), kinds, st.lists(kinds, max_size=3).map(tuple)))
def test_dtypes(kind):
    """Same names for every kind; both refuse unknown kinds."""
    compare(lambda xp: sorted(xp.__array_namespace_info__().dtypes(kind=kind)))


@pytest.mark.parametrize("kind", [3, ["bool"], ("bool", 3)], ids=label)
def test_dtypes_refuses_what_is_no_kind(kind):
    with pytest.raises(ValueError, match="dtypes: kind"):
        xp_torch.__array_namespace_info__().dtypes(kind=kind)


def test_capabilities():
    """The keys of each version, following the flags."""
    info = xp_torch.__array_namespace_info__()
    compare(lambda xp: xp.__array_namespace_info__().capabilities())
    with xp_torch.flags(boolean_indexing=False, data_dependent_shapes=False):
        capabilities = info.capabilities()
        assert not capabilities["boolean indexing"]
        assert not capabilities["data-dependent shapes"]
    with xp_torch.flags(api_version="2023.12"):
        assert "max dimensions" not in info.capabilities()


def test_default_dtypes(device):
    """The dtypes that creation functions fall back to."""
    info = xp_torch.__array_namespace_info__()
    expected = {
        "real floating": xp_torch.float64,
        "complex floating": xp_torch.complex128,
        "integral": xp_torch.int64,
        "indexing": xp_torch.int64,
    }
    assert info.default_dtypes() == expected
    single = {"real floating": xp_torch.float32, "complex floating": xp_torch.complex64}
    there = expected if "float64" in info.dtypes(device=device) else expected | single
    assert info.default_dtypes(device=device) == there
    with xp_torch.flags(default_float=xp_torch.float32):
        assert info.default_dtypes()["real floating"] is xp_torch.ones(1).dtype is xp_torch.float32
        assert info.default_dtypes()["complex floating"] is xp_torch.asarray(1j).dtype


def test_devices(device):
    """The CPU and each CUDA device, a tuple; each is a device to create on."""
    info = xp_torch.__array_namespace_info__()
    assert type(info.devices()) is tuple
    assert torch.device("cpu") in info.devices()
    for known in info.devices():
        assert xp_torch.zeros(1, device=known).device == known
    with xp_torch.flags(api_version="2024.12"):
        assert type(info.devices()) is list
    with torch.device(device):
        assert info.default_device() == xp_torch.zeros(1).device
        assert info.default_device() in info.devices()


def test_unknown_devices_are_refused():
    info = xp_torch.__array_namespace_info__()
    for name in ("dtypes", "default_dtypes"):
        with pytest.raises(ValueError, match=f"{name}: device"):
            getattr(info, name)(device="foo")
