"""Torch's compiler without what it computes for its logs, which costs more than a small graph."""

from __future__ import annotations

import sys
from typing import Any

import torch


def use() -> None:
    """Leave out two parts of each compilation, in all that is compiled later.

    Dynamo empties the caches of the processor to time its guards: 40 ms. It also looks for the
    places in the source of all calls under way, to tell which objects a program changes: 20 ms.
    Called before Dynamo is imported, and again when it is.
    """
    guards = torch._C._dynamo.guards
    if hasattr(guards, "profile_guard_manager"):
        guards.profile_guard_manager = lambda *_: 0.0
    config: Any = sys.modules.get("torch._dynamo.config")
    if hasattr(config, "side_effect_replay_policy"):
        config.side_effect_replay_policy = "silent"
