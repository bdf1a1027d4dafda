#!/usr/bin/env bash
# From a fresh Debian 12 to a tiled convolution: installs what is missing,
# builds convopt, tiles examples/naive_conv.cu and verifies the result.
#
# Leaves build/bin/convopt and build/tiled.cu. scripts/setup.sh names the
# environment variables that it takes.
set -euo pipefail

# shellcheck source=scripts/setup.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/setup.sh"

quickstart
