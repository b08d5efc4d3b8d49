# The two commands of the README are `make demo` and `make test`; both start from nothing.

VENV ?= .venv
PY := $(VENV)/bin/python
DEVICE ?=
RELEASES ?=
ARGUMENTS ?=
SLOW ?=

# Tests start Python many times: without caches of bytecode each start takes half a second more.
unexport PYTHONDONTWRITEBYTECODE

# What `make check` leaves out: what starts processes, compiles, needs other libraries, compares with
# SciPy, or goes through thousands of parameters or every number of 16 bits. It is nine tenths of the
# time of our own tests.
UNCHECKED := conformance distributed downstream plain typing xp_backend test_adding_a_function.py \
  test_commands.py test_docs.py test_first_screen.py \
  test_guides.py test_patches.py test_why.py \
  test_packaging.py test_torch_internals.py test_tracing.py \
  numpy_shim/compiled numpy_shim/export numpy_shim/jit numpy_shim/launcher numpy_shim/linalg \
  numpy_shim/scipy numpy_shim/special \
  numpy_shim/test_docs.py numpy_shim/test_examples.py numpy_shim/test_no_sync.py \
  numpy_shim/test_refusals.py numpy_shim/test_surface.py numpy_shim/array/test_half.py \
  numpy_shim/array/test_scalar_views.py numpy_shim/functions/test_host_kernels.py \
  numpy_shim/functions/test_large_arrays.py numpy_shim/indexing/test_assigned_values.py \
  numpy_shim/interop numpy_shim/members/test_processes.py numpy_shim/ufunc/test_first_use.py \
  numpy_shim/ufunc/test_flat_tables.py \
  xp_torch/test_flags.py xp_torch/test_no_sync.py xp_torch/test_surface.py

# Quick tests of the folders that are left out.
SAMPLED := conformance/test_reports.py conformance/worlds/test_worlds.py distributed/test_ranks.py::test_sizes \
  downstream/test_sklearn.py typing/test_annotations.py \
  numpy_shim/compiled/test_closures.py numpy_shim/export/test_cpp.py numpy_shim/interop/test_interop.py \
  numpy_shim/jit/test_numba.py numpy_shim/launcher/test_factorizations.py numpy_shim/linalg \
  numpy_shim/scipy/test_objects.py numpy_shim/scipy/test_optimize.py \
  numpy_shim/special/test_single_precision.py

# The tests that are parametrised over devices; they run on the device npy too.
ON_DEVICES := tests/numpy_shim/test_no_sync.py tests/numpy_shim/test_examples.py \
  tests/numpy_shim/array/test_elsewhere.py tests/numpy_shim/test_random_statements.py \
  tests/numpy_shim/array/test_host_scalars.py tests/numpy_shim/array/test_shared_elements.py \
  tests/numpy_shim/interop/test_interop.py tests/numpy_shim/interop/test_buffers.py \
  tests/xp_torch/test_creation.py tests/xp_torch/test_data_types.py tests/xp_torch/test_devices.py \
  tests/xp_torch/test_info.py tests/xp_torch/test_interchange.py tests/xp_torch/test_printing.py \
  tests/xp_torch/test_sorting.py tests/xp_torch/test_searching.py -k npy

.PHONY: demo test check lint matrix matrix-short bench bench-kernels bench-distributed dist audit conformance docs gpu-check env clean

env: $(VENV)/.installed

# torch first and alone: the exact pin keeps pip from bringing a CUDA build of gigabytes.
$(VENV)/.installed: pyproject.toml constraints.txt
	@echo "== a virtual environment in $(VENV), with the versions of constraints.txt: some minutes =="
	python3 -m venv $(VENV)
	$(PY) -m pip install --upgrade "pip>=24" hatchling editables
	@echo "== torch: some hundred megabytes =="
	$(PY) -m pip install --constraint constraints.txt torch
	@echo "== this project, and what its demo and tests need =="
	$(PY) -m pip install --constraint constraints.txt --no-build-isolation --editable ".[test,lint,bench]"
	touch $@

demo: env  ## scikit-learn on xp_torch arrays; two NumPy scripts on numpy_shim, and a picture
	@echo "== 1/3 scikit-learn on arrays of xp_torch, beside NumPy =="
	SCIPY_ARRAY_API=1 $(PY) docs/examples/digits.py $(if $(DEVICE),--device $(DEVICE))
	@echo "== 2/3 k-means, a script for NumPy, on torch =="
	$(PY) -m numpy_shim $(if $(DEVICE),--device $(DEVICE)) docs/examples/kmeans.py
	@echo "== 3/3 the Mandelbrot set, a script for NumPy, on torch, with a summary of its calls =="
	mkdir -p build/demo
	$(PY) -m numpy_shim $(if $(DEVICE),--device $(DEVICE)) --summary docs/examples/mandelbrot.py \
	  --width 512 --steps 200 --centre=-0.745+0.113j --extent 0.012 --output build/demo/mandelbrot.png
	$(PY) tools/show_picture.py build/demo/mandelbrot.png
	@echo "Try next:"
	@echo "  $(PY) -m numpy_shim --summary docs/examples/smoke.py   # any script that imports numpy"
	@echo "  $(PY) -m conformance coverage --module xp_torch        # a namespace beside the standard"
	@echo "  $(PY) -c 'import numpy_shim as np; print(np.grad(lambda x: np.sum(x**2))(np.ones(3)))'"

test: env  ## our tests (SLOW=--slow: all of them), the public suite, a sample of NumPy's tests
	@echo "== 1/4 our own tests: 10 to 20 minutes on two cores =="
	$(PY) -m pytest -n 2 --dist worksteal tests $(SLOW) --ignore=tests/distributed --ignore=tests/xp_backend
	$(PY) -m pytest -q -n 2 tests/xp_backend
	XP_TORCH_DEVICES=npy $(PY) -m pytest -q -n 2 --dist worksteal $(ON_DEVICES)
	@echo "== 2/4 arrays on two and three processes: less than 3 minutes =="
	$(PY) -m pytest tests/distributed
	@echo "== 3/4 a sample of NumPy's own tests, on numpy_shim: 20 to 60 seconds =="
	$(PY) -m conformance numpy --module numpy_shim --sample --jobs 2
	@echo "== 4/4 the public suite array-api-tests, on xp_torch and numpy_shim: 2 to 3 minutes =="
	@if $(PY) -m conformance array-api --locate; then \
	  $(PY) -m conformance array-api --module xp_torch --jobs 2 && \
	  $(PY) -m conformance array-api --module numpy_shim --jobs 2 && \
	  $(PY) -m conformance array-api --module xp_torch --device npy --max-examples 5 --jobs 2 && \
	  $(PY) -m conformance array-api --module numpy_shim --device npy --max-examples 3 --seed 1 --jobs 2; \
	else \
	  echo "SKIPPED: the public suite array-api-tests was not found (see docs/conformance.md)"; \
	fi

check: lint  ## for a developer's loop: lint, and the tests that take two minutes with few examples
	@echo "== our own tests but the slow ones, 3 examples each: less than 2 minutes on two cores =="
	XP_TORCH_EXAMPLES=3 $(PY) -m pytest -q -n 2 --dist worksteal tests $(UNCHECKED:%=--ignore=tests/%) $(SAMPLED:%=tests/%)

lint: env  ## ruff, mypy --strict, two scripts as their users' mypy and pyright see them, the repository
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/codespell
	$(VENV)/bin/rumdl check --quiet .
	$(VENV)/bin/zizmor --offline --quiet .
	$(VENV)/bin/repo-review --show err .
	$(VENV)/bin/mypy
	$(VENV)/bin/mypy tests/typing/numpy_script.py tests/typing/xp_script.py
	$(VENV)/bin/pyright --pythonpath $(PY)

matrix:  ## what depends on torch, with other releases of it, and all with the newest: RELEASES="2.11.0 newest"
	python3 tools/matrix.py $(RELEASES)

matrix-short:  ## the same with fewer tests, for the oldest and the newest of them: less than 15 minutes
	python3 tools/matrix.py --short

bench: env  ## per-call cost over the raw torch call, and the cost of the import
	$(PY) -m benchmarks $(ARGUMENTS)

bench-kernels: env  ## whole kernels beside NumPy, torch by hand, Numba and JAX; some take a minute to compile
	$(PY) -m pip install --quiet --constraint constraints.txt --no-build-isolation --editable ".[peers]"
	$(PY) -m benchmarks.kernels $(ARGUMENTS)

bench-distributed: env  ## two processes against one; needs two cores that nothing else uses
	$(PY) -m benchmarks.distributed $(ARGUMENTS)

dist: env  ## the wheel and the source distribution, in dist/, built twice and checked
	$(PY) -m pip install --quiet --constraint constraints.txt --no-build-isolation --editable ".[dist]"
	rm -rf dist build/again
	$(PY) -m hatchling build
	$(PY) -m hatchling build --directory build/again
	diff --recursive dist build/again
	$(VENV)/bin/twine check --strict dist/*
	$(VENV)/bin/check-wheel-contents dist/*.whl
	$(VENV)/bin/cffconvert --validate

audit: env  ## known vulnerabilities of what is installed; asks a public database
	$(PY) -m pip install --quiet --constraint constraints.txt --no-build-isolation --editable ".[audit]"
	$(VENV)/bin/pip-audit --skip-editable

conformance: env  ## the public suite and NumPy's own tests, with reports in reports/
	$(PY) -m conformance array-api --module xp_torch --jobs 2 --report reports \
	  --against array_api_compat.torch array_api_strict numpy
	$(PY) -m conformance numpy --module numpy_shim --jobs 2 --report reports/numpy \
	  --against torch._numpy

docs: env  ## the pages as a site in site/
	$(PY) -m pip install --quiet --constraint constraints.txt --no-build-isolation --editable ".[docs]"
	NO_MKDOCS_2_WARNING=1 $(VENV)/bin/mkdocs build --strict  # the banner is no warning of ours

gpu-check:  ## every check that needs a CUDA device, with the Python that is active
	python3 tools/gpu_check.py

clean:
	rm -rf $(VENV) build dist site reports .mypy_cache .ruff_cache .rumdl_cache .pytest_cache .hypothesis
