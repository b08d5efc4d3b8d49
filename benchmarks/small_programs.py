"""``python -m benchmarks.small_programs``: programs of arrays of three to six elements.

Each is written for NumPy, and by hand in torch. The ratio of torch's time to NumPy's is a bound
that no array class over torch can be below: it is the cost of torch's calls at these sizes.
"""

from __future__ import annotations

import timeit
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy
import torch
from rich.console import Console
from rich.table import Table

import numpy_shim

ROUNDS, STEPS = 60, 10
FLOAT = torch.float64


class Program(NamedTuple):
    """A program: a step for NumPy's namespace, and the same step by hand in torch.

    Both make their operands of nested lists, and give a function without arguments that returns
    an array to compare.
    """

    name: str
    step: Callable[[Any], Callable[[], Any]]
    by_hand: Callable[[], Callable[[], torch.Tensor]]


F = [[1.0, 0.1, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.1], [0.0, 0.0, 0.0, 1.0]]
H = [[1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]]


def _kalman(np: Any) -> Callable[[], Any]:
    f, h, q, r = np.array(F), np.array(H), np.eye(4) * 0.01, np.eye(2) * 0.5
    x0, p0, z, one = np.array([0.0, 1.0, 0.0, 1.0]), np.eye(4), np.array([0.1, 0.2]), np.eye(4)

    def step() -> Any:
        x, p = np.dot(f, x0), np.dot(np.dot(f, p0), f.T) + q
        y = z - np.dot(h, x)
        ph = np.dot(p, h.T)
        k = np.dot(ph, np.linalg.inv(np.dot(h, ph) + r))
        x = x + np.dot(k, y)
        i_kh = one - np.dot(k, h)
        p = np.dot(np.dot(i_kh, p), i_kh.T) + np.dot(np.dot(k, r), k.T)
        return p + x

    return step


def _kalman_by_hand() -> Callable[[], torch.Tensor]:
    f, h = torch.tensor(F, dtype=FLOAT), torch.tensor(H, dtype=FLOAT)
    q, r, one = [torch.eye(n, dtype=FLOAT) * s for n, s in ((4, 0.01), (2, 0.5), (4, 1.0))]
    x0, p0 = torch.tensor([0.0, 1.0, 0.0, 1.0], dtype=FLOAT), torch.eye(4, dtype=FLOAT)
    z = torch.tensor([0.1, 0.2], dtype=FLOAT)

    def step() -> torch.Tensor:
        x, p = f @ x0, f @ p0 @ f.T + q
        y = z - h @ x
        ph = p @ h.T
        k = ph @ torch.linalg.inv(h @ ph + r)
        x = x + k @ y
        i_kh = one - k @ h
        p = i_kh @ p @ i_kh.T + k @ r @ k.T
        return p + x

    return step


def _quaternion(np: Any) -> Callable[[], Any]:
    q0, gyr = np.array([1.0, 0.1, 0.2, 0.3]), np.array([0.01, 0.02, 0.03])
    acc = np.array([0.1, 0.2, 9.8])

    def step() -> Any:
        q = q0 / np.linalg.norm(q0)
        a = acc / np.linalg.norm(acc)
        w, x, y, z = q
        f = np.array([
            2.0 * (x * z - w * y) - a[0], 2.0 * (w * x + y * z) - a[1],
            2.0 * (0.5 - x**2 - y**2) - a[2],
        ])  # fmt: skip
        j = np.array([
            [-2.0 * y, 2.0 * z, -2.0 * w, 2.0 * x], [2.0 * x, 2.0 * w, 2.0 * z, 2.0 * y],
            [0.0, -4.0 * x, -4.0 * y, 0.0],
        ])  # fmt: skip
        gradient = j.T @ f
        gradient /= np.linalg.norm(gradient)
        g = np.concatenate((np.zeros(1), gyr))
        rate = np.array([
            q[0] * g[0] - q[1:] @ g[1:],
            *(q[0] * g[1:] + g[0] * q[1:] + np.cross(q[1:], g[1:])),
        ])  # fmt: skip
        q = q + (0.5 * rate - 0.03 * gradient) * 0.01
        return q / np.linalg.norm(q)

    return step


def _quaternion_by_hand() -> Callable[[], torch.Tensor]:
    q0 = torch.tensor([1.0, 0.1, 0.2, 0.3], dtype=FLOAT)
    gyr = torch.tensor([0.01, 0.02, 0.03], dtype=FLOAT)
    acc = torch.tensor([0.1, 0.2, 9.8], dtype=FLOAT)
    norm = torch.linalg.vector_norm

    def step() -> torch.Tensor:
        q = q0 / norm(q0)
        a = (acc / norm(acc)).tolist()
        w, x, y, z = q.tolist()  # numbers of Python: the fastest that a program can do
        f = torch.tensor([
            2.0 * (x * z - w * y) - a[0], 2.0 * (w * x + y * z) - a[1],
            2.0 * (0.5 - x**2 - y**2) - a[2],
        ], dtype=FLOAT)  # fmt: skip
        j = torch.tensor([
            [-2.0 * y, 2.0 * z, -2.0 * w, 2.0 * x], [2.0 * x, 2.0 * w, 2.0 * z, 2.0 * y],
            [0.0, -4.0 * x, -4.0 * y, 0.0],
        ], dtype=FLOAT)  # fmt: skip
        gradient = j.T @ f
        gradient /= norm(gradient)
        g = torch.cat((torch.zeros(1, dtype=FLOAT), gyr))
        v, u = q[1:], g[1:]
        rate = torch.cat((
            (q[0] * g[0] - v @ u).reshape(1), q[0] * u + g[0] * v + torch.linalg.cross(v, u),
        ))  # fmt: skip
        q = q + (0.5 * rate - 0.03 * gradient) * 0.01
        result: torch.Tensor = q / norm(q)
        return result

    return step


def _transforms(np: Any) -> Callable[[], Any]:
    a, b = np.eye(4), np.eye(4)
    a[:3, :3] = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    a[:3, 3], b[:3, 3] = np.array([1.0, 2.0, 3.0]), np.array([0.5, 0.0, -1.0])

    def step() -> Any:
        c = np.dot(a, b)
        r, t = c[:3, :3], c[:3, 3]
        inverse = np.eye(4)
        inverse[:3, :3] = r.T
        inverse[:3, 3] = -np.dot(r.T, t)
        return np.dot(inverse, np.dot(c, inverse))

    return step


def _transforms_by_hand() -> Callable[[], torch.Tensor]:
    a, b = torch.eye(4, dtype=FLOAT), torch.eye(4, dtype=FLOAT)
    a[:3, :3] = torch.tensor([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    a[:3, 3], b[:3, 3] = torch.tensor([1.0, 2.0, 3.0]), torch.tensor([0.5, 0.0, -1.0])

    def step() -> torch.Tensor:
        c = a @ b
        r, t = c[:3, :3], c[:3, 3]
        inverse = torch.eye(4, dtype=FLOAT)
        inverse[:3, :3] = r.T
        inverse[:3, 3] = -(r.T @ t)
        return inverse @ (c @ inverse)

    return step


def _sigma_points(np: Any) -> Callable[[], Any]:
    x, p = np.array([1.0, 2.0, 3.0]), np.array([[2.0, 0.5, 0.0], [0.5, 1.0, 0.1], [0.0, 0.1, 3.0]])
    weights = np.full(7, 1 / 7)

    def step() -> Any:
        root = np.linalg.cholesky(p * 3.0)
        points = np.zeros((7, 3))
        points[0] = x
        for k in range(3):
            points[k + 1] = x + root[:, k]
            points[k + 4] = x - root[:, k]
        mean = np.dot(weights, points)
        covariance = np.zeros((3, 3))
        for k in range(7):
            d = points[k] - mean
            covariance += weights[k] * np.outer(d, d)
        return covariance

    return step


def _sigma_points_by_hand() -> Callable[[], torch.Tensor]:
    x = torch.tensor([1.0, 2.0, 3.0], dtype=FLOAT)
    p = torch.tensor([[2.0, 0.5, 0.0], [0.5, 1.0, 0.1], [0.0, 0.1, 3.0]], dtype=FLOAT)
    weights = torch.full((7,), 1 / 7, dtype=FLOAT)

    def step() -> torch.Tensor:
        root = torch.linalg.cholesky(p * 3.0)
        points = torch.zeros((7, 3), dtype=FLOAT)
        points[0] = x
        for k in range(3):
            points[k + 1] = x + root[:, k]
            points[k + 4] = x - root[:, k]
        mean = weights @ points
        covariance = torch.zeros((3, 3), dtype=FLOAT)
        for k in range(7):
            d = points[k] - mean
            covariance += weights[k] * torch.outer(d, d)
        return covariance

    return step


PROGRAMS = [
    Program("a Kalman filter: predict and update", _kalman, _kalman_by_hand),
    Program("sigma points: mean and covariance", _sigma_points, _sigma_points_by_hand),
    Program("orientation from a gyroscope", _quaternion, _quaternion_by_hand),
    Program("rigid transforms: join and invert", _transforms, _transforms_by_hand),
]


def measure(program: Program) -> tuple[float, float, float]:
    """Seconds of a step on NumPy, by hand in torch, and on numpy_shim: the fastest of turns."""
    steps: list[Callable[[], Any]] = [
        program.step(numpy), program.by_hand(), program.step(numpy_shim)
    ]  # fmt: skip
    expected, *others = [step() for step in steps]
    for found in others:
        numpy.testing.assert_allclose(numpy.array(found.tolist()), expected, 1e-9, 1e-12)
    timers = [timeit.Timer(step) for step in steps]
    fastest = [timer.timeit(STEPS) for timer in timers]
    for _ in range(ROUNDS):
        turns = [timer.timeit(STEPS) for timer in timers]
        fastest = [min(pair) for pair in zip(fastest, turns, strict=True)]
    by_numpy, by_torch, by_ours = [seconds / STEPS for seconds in fastest]
    return by_numpy, by_torch, by_ours


def main() -> None:
    """Print a table of the programs."""
    torch.set_num_threads(1)
    table = Table(title="microseconds a step, and over NumPy's")
    for column in ("program", "NumPy", "torch", "numpy_shim", "torch", "numpy_shim"):
        table.add_column(column, justify="left" if column == "program" else "right")
    for program in PROGRAMS:
        n, t, s = measure(program)
        table.add_row(
            program.name, *(f"{1e6 * x:.1f}" for x in (n, t, s)), f"{t / n:.1f}", f"{s / n:.1f}"
        )
    Console().print(table)


if __name__ == "__main__":
    main()
