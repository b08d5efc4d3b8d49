"""SciPy's sparse factorizations in a program under the launcher."""

from pathlib import Path

from tests.numpy_shim.launcher.launching import launch, write

PROGRAM = """
import numpy as np
from scipy.sparse import csc_matrix, eye
from scipy.sparse.linalg import SuperLU, factorized, spilu, splu

A = csc_matrix([[2.0, 1.0], [0.0, 4.0]])
b = np.array([3.0, 8.0])
for solve in (splu(A).solve, spilu(A).solve, factorized(A)):
    x = solve(b)
    assert type(x) is np.ndarray and x.dtype == np.float64, type(x)
    assert np.allclose(x, [0.5, 2.0])
lu = splu(A)
assert np.allclose(lu.solve(np.stack([b, 2 * b], axis=1)), [[0.5, 1.0], [2.0, 4.0]])
assert np.allclose(lu.solve(b, "T"), [1.5, 1.625])
assert isinstance(lu, SuperLU) and lu.shape == (2, 2) and "perm_c" in dir(lu)
assert abs(lu.L @ lu.U).sum() == 7.0
try:
    lu.solve(np.ones(3))
except ValueError as error:
    print(error)
"""


def test_they_take_arrays_of_ours(tmp_path: Path):
    """The values are SciPy's; the class, the attributes and the errors as well."""
    write(tmp_path, {"program.py": PROGRAM})
    ours = launch("program.py", cwd=tmp_path).stdout
    assert ours == launch("program.py", cwd=tmp_path, launcher=False).stdout != ""


def test_scipy_itself_factorizes(tmp_path: Path):
    """Its shift-invert mode does, with NumPy's arrays."""
    program = """
    import numpy as np
    from scipy.sparse import diags
    from scipy.sparse.linalg import eigsh

    matrix = diags([1.0, 2.0, 3.0, 4.0, 5.0, 6.0], format="csc")
    values = eigsh(matrix, k=2, sigma=0.0, return_eigenvectors=False)
    assert np.allclose(np.sort(values), [1.0, 2.0])
    """
    write(tmp_path, {"program.py": program})
    launch("program.py", cwd=tmp_path)
