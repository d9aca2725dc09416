#!/usr/bin/env bash
# under_sanitizer.sh CUDA_TEST [OPTION...]: the tests that run kernels on this machine's GPU, under each tool of NVIDIA's
# compute-sanitizer, but for those in which kernels fault on purpose. Options are of cuda_test, as --rng-seed 2. The exit
# status is 1 when a test fails or a tool finds something, and 77 where there is no sanitizer or no GPU.
set -euo pipefail
program=$1
names="every operator*,layers with*,operators that*,random functions*,products *,tiles that*,sides that*,kernels' text*"
names+=",convolutions of*,bytes are*,warps multiply*,warpgroups multiply*,random products*,random schedules do*,kernels follow*"
names+=",scalars of*,a device has boxes*,*run on a GPU*,a network runs on a GPU*"
if ! command -v compute-sanitizer >/dev/null; then
  echo "skipped: compute-sanitizer is not here; it comes with NVIDIA's CUDA toolkit"
  exit 77
fi
if ! compgen -G '/dev/nvidia[0-9]*' >/dev/null; then
  echo "skipped: there is no GPU here"
  exit 77
fi
status=0
for tool in memcheck racecheck synccheck initcheck; do
  echo "$tool:"
  compute-sanitizer --tool "$tool" --target-processes all --error-exitcode 99 "$program" "$names" "${@:2}" || status=1
done
exit "$status"
