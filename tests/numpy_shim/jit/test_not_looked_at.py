"""Calls whose choice costs nothing: how they are recognised."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

import numpy_shim
from numpy_shim._jit.unseen import Unseen


class TestCallsThatAreNotLookedAt:
    def test_they_are_counted(self):
        f = numpy_shim.jit(lambda x: x + 1)
        for _ in range(1000):
            f(np.ones(2))
        (chosen,) = f.explain().choices
        assert chosen.plain.calls == 1000
        assert f.__numpy_shim_jit__.unseen.left == 0  # and looked at again
        for _ in range(10):
            f(np.ones(2))
        f.explain()
        assert chosen.plain.calls == 1010

    def test_calls_with_arrays_of_ours_and_of_numpys_are_counted_apart(self):
        f = numpy_shim.jit(lambda x: numpy_shim.sin(x) + x)
        for _ in range(500):
            f(numpy_shim.ones(2))
        for _ in range(300):
            f(np.ones(2))
        ours, numpys = f.explain().choices
        assert (ours.plain.calls, numpys.plain.calls) == (500, 300)

    def test_an_array_with_a_gradient_is_looked_at(self):
        unseen = Unseen()
        unseen.begin(63, (numpy_shim.ones(2),), {})
        assert unseen.is_alike((numpy_shim.ones(2),), {}, unseen.limits)
        x = numpy_shim.asarray(torch.ones(2, dtype=torch.float64, requires_grad=True))
        assert not unseen.is_alike((x,), {}, unseen.limits)

    def test_functions_that_name_numpy_run_as_copies_on_arrays_of_ours(self):
        f = numpy_shim.jit(lambda x: np.zeros(2))
        for _ in range(100):
            assert type(f(numpy_shim.ones(2))) is numpy_shim.ndarray

    @pytest.mark.parametrize(
        ("other", "is_alike"),
        [
            ((np.ones(20), 7, 2.5), True),
            ((np.ones(21), 7, 2.5), False),
            ((np.ones(10), -14, 1e9), True),
            ((np.ones(10), 15, 2.5), False),
            ((np.ones(10), 7, 2), False),
            ((np.ones(10), 7), False),
            ((numpy_shim.ones(10), 7, 2.5), False),
        ],
    )
    def test_they_are_like_the_last(self, other: Any, is_alike: bool):
        unseen = Unseen()
        unseen.begin(63, (np.ones(10), 7, 2.5), {})
        assert unseen.left == 63
        assert unseen.is_alike(other, {}, unseen.limits) is is_alike
        assert not unseen.is_alike(other, {"more": 1}, unseen.limits)

    @pytest.mark.parametrize(
        ("words", "is_alike"),
        [
            ({"n": 14}, True),
            ({"n": 15}, False),
            ({"m": 14}, False),
            ({}, False),
            ({"n": 1.0}, False),
        ],
    )
    def test_they_have_the_same_names(self, words: dict[str, Any], is_alike: bool):
        unseen = Unseen()
        unseen.begin(63, (np.ones(10),), {"n": 7})
        assert unseen.is_alike((np.ones(10),), words, unseen.limits) is is_alike

    @pytest.mark.parametrize(
        ("given", "alike", "others"),
        [
            ((2, 3), [(4, 6), (-4, 1)], [(5, 3), (2, 3.0), (2,), [2, 3], (2, numpy_shim.ones(2))]),
            ([1.0] * 9, [[2.0], [0.5] * 18], [[1.0] * 19, [], [1] * 9, [np.ones(3)]]),
            ([1.0] * 9, [], [[1.0, torch.ones(2)], [torch.ones(2), 1.0]]),
            ([(1, 2)] * 9, [[(3, 4)] * 5], [[1, 2] * 4, [[1, 2]] * 5]),
            ([np.ones(3)], [[np.ones(6)]], [[np.ones(7)], [1.0], [numpy_shim.ones(3)]]),
            ("word", ["words", ""], ["a long word", b"word", None]),
            ([], [[]], [[1.0]]),
        ],
    )
    def test_lists_and_words(self, given: Any, alike: list[Any], others: list[Any]):
        unseen = Unseen()
        unseen.begin(255, (given,), {"k": 1})
        assert unseen.left == 255
        assert all(unseen.is_alike((other,), {"k": 1}, unseen.limits) for other in alike)
        assert not any(unseen.is_alike((other,), {"k": 1}, unseen.limits) for other in others)

    @pytest.mark.parametrize("given", [{"a": 1}, [[1.0]] * 9, [torch.ones(2)], slice(2), Unseen()])
    def test_arguments_that_do_not_tell(self, given: Any):
        """What is in them may be tensors; --jit lets a few pass, whatever they are."""
        for any_type, calls in ((False, 0), (True, 15)):
            unseen = Unseen()
            unseen.begin(63, (given, 2), {}, any_type)
            assert unseen.left == calls
        assert unseen.is_alike((given, 2), {}, unseen.limits)

    def test_arrays_of_ours_in_calls_that_are_not_looked_at(self):
        unseen = Unseen()
        unseen.begin_compiled(63, (numpy_shim.ones((2, 3)), 1.0), {"n": 3})
        taken = [numpy_shim.ones((7, 2)), numpy_shim.ones((2, 3))]
        tensor = torch.ones(2, 3, dtype=torch.float64, requires_grad=True)
        others = [
            numpy_shim.ones(2), numpy_shim.ones((2, 3), dtype=int), numpy_shim.ones((3, 2)).T,
            np.ones((2, 3)), numpy_shim.asarray(tensor),
        ]  # fmt: skip
        found = [unseen.is_alike((x, 2.0), {"n": 99}, unseen.limits) for x in taken + others]
        assert found == [True] * 2 + [False] * 5
