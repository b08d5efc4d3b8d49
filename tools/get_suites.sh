#!/usr/bin/env bash
# Clone the public suite array-api-tests, at the revision of quoted results, where the runner looks.
set -euo pipefail
cd "$(dirname "$0")/.."
suite="${XDG_CACHE_HOME:-$HOME/.cache}/xp-torch/array-api-tests"
revision=$(awk '$1 == "array-api-tests" { print $2 }' conformance/array-api-tests.rev)
[ -d "$suite" ] || git clone https://github.com/data-apis/array-api-tests "$suite"
git -C "$suite" checkout --quiet "$revision"
git -C "$suite" submodule update --init
