from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    title: str


def reason(file, test):
    if file.name.endswith("test_simd.py"):
        return Row("x")
    return None
