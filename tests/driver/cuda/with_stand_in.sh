#!/usr/bin/env bash
# with_stand_in.sh BUILD_FOLDER COMMAND [ARGUMENT ...]: runs a command as on a machine with a GPU, by the libraries that
# stand in for NVIDIA's, which the tests build. Its times mean nothing, and what it compiled is not kept.
# STAND_IN_CAPABILITY=90 makes it a Hopper; stand_in_libcuda.cpp lists what else can be had.
#
#   tests/driver/cuda/with_stand_in.sh build/release ./build/release/cli/vantage run lenet --target cuda: --check
set -euo pipefail
if [[ $# -lt 2 ]]; then
  sed -n '2,6s/^# \?//p' "$0" >&2
  exit 2
fi
libraries=$1/tests/stand_in_gpu
shift
if [[ ! -e $libraries/libnvrtc.so.13 ]]; then
  echo "error: $libraries is not there; build the tests first (the target cuda_test)" >&2
  exit 2
fi
VANTAGE_CACHE_DIR=$(mktemp -d)
trap 'rm -rf "$VANTAGE_CACHE_DIR"' EXIT
export VANTAGE_CACHE_DIR
LD_LIBRARY_PATH=$libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} "$@"
