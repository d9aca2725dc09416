#!/usr/bin/env bash
# Runs the benchmarks of a build folder, all of them or one: run.sh BUILD_FOLDER [NAME] [Google Benchmark options]. One
# core each, repeated and interleaved, so that a noisy machine disturbs both sides of a ratio alike.
set -uo pipefail
build=$1
shift
names=(attacks compiler cpu estimates fronts functional gpu models onnxruntime pages rpc rtl search sweeps systemc timing transformers workloads)
if [[ ${1:-} == [a-z]* ]]; then
  names=("$1")
  shift
fi
status=0
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
for name in "${names[@]/#/bench_}"; do
  if [[ $name == bench_onnxruntime ]]; then
    code=0
    taskset -c 0 "$root/bench/onnxruntime/run.sh" "$root" "$build/cli/vantage" "$build/onnxruntime" "$@" || code=$?
    [[ $code -eq 0 || $code -eq 77 ]] || status=$code  # 77: it cannot be had here
    echo
    continue
  fi
  if [[ $name == bench_pages ]]; then
    code=0
    "$root/bench/pages/run.sh" "$root" "$build/cli/vantage" "$build/pages" || code=$?
    [[ $code -eq 0 || $code -eq 77 ]] || status=$code
    echo
    continue
  fi
  options=(--benchmark_min_time=0.2 --benchmark_repetitions=5 --benchmark_enable_random_interleaving=true)
  [[ ! $name =~ ^bench_(estimates|fronts|gpu|models|search|sweeps|timing|transformers|workloads)$ ]] || options=()
  # What measures two cores keeps to one where it should.
  pin=(taskset -c 0)
  [[ ! $name =~ ^bench_(attacks|cpu|fronts|models|rpc|sweeps|transformers)$ ]] || pin=()
  code=0
  "${pin[@]}" "$build/bench/$name" "${options[@]}" "$@" || code=$?
  [[ $code -eq 0 || $code -eq 77 ]] || status=$code
  echo
done
exit "$status"
