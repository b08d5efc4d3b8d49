"""Processes that are started once and run many cases, each with a limit of time.

A case is a function of this package, by name, with arguments that can be pickled. Every process
runs it; the answers come back in the order of the ranks.
"""

from __future__ import annotations

import datetime
import importlib
import multiprocessing
import os
import socket
import time
import traceback
from multiprocessing.connection import Connection
from typing import Any


class HangError(Exception):
    """A case that did not end in time."""


def free_port() -> int:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return int(s.getsockname()[1])


def _serve(rank: int, size: int, port: int, pipe: Connection) -> None:
    os.environ["OMP_NUM_THREADS"] = "1"
    import torch
    import torch.distributed as dist

    torch.set_num_threads(1)
    dist.init_process_group(
        "gloo",
        init_method=f"tcp://127.0.0.1:{port}",
        rank=rank,
        world_size=size,
        timeout=datetime.timedelta(seconds=8),
    )
    while True:
        try:
            request = pipe.recv()
        except EOFError:
            return
        if request is None:
            dist.destroy_process_group()
            return
        module, name, args = request
        try:
            answer: Any = ("value", getattr(importlib.import_module(module), name)(*args))
        except Exception as error:
            answer = ("error", type(error).__name__, str(error), traceback.format_exc())
        pipe.send(answer)


class Pool:
    """``size`` processes of one gloo group. They are started again after a case that hangs."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.started = False

    def start(self) -> None:
        context = multiprocessing.get_context("spawn")
        port = free_port()
        self.pipes: list[Connection] = []
        self.processes = []
        for rank in range(self.size):
            mine, theirs = context.Pipe()
            process = context.Process(
                target=_serve, args=(rank, self.size, port, theirs), daemon=True
            )
            process.start()
            theirs.close()
            self.pipes.append(mine)
            self.processes.append(process)
        self.started = True

    def run(self, module: str, name: str, *args: Any, seconds: float = 60) -> list[Any]:
        """The answer of each rank: ``("value", v)`` or ``("error", type, message, traceback)``."""
        if not self.started:
            self.start()
            seconds += 60
        for pipe in self.pipes:
            pipe.send((module, name, args))
        end = time.monotonic() + seconds
        answers = []
        for rank, pipe in enumerate(self.pipes):
            if not pipe.poll(max(end - time.monotonic(), 0.01)):
                self.kill()
                raise HangError(f"{module}.{name}{args}: rank {rank} did not answer in {seconds} s")
            answers.append(pipe.recv())
        for answer in answers:
            if "Timed out" in str(answer[2:3]) or "pair closure" in str(answer[2:3]):
                self.kill()
                raise HangError(f"{module}.{name}{args}: {answer[2]}")
        return answers

    def kill(self) -> None:
        for process in self.processes:
            process.kill()
            process.join()
        self.started = False

    def close(self) -> None:
        if self.started:
            for pipe in self.pipes:
                pipe.send(None)
            for process in self.processes:
                process.join(10)
            self.kill()
