#!/usr/bin/env bash
# Runs every benchmark of a build folder: run.sh BUILD_FOLDER [Google Benchmark options]. One core each, repeated and
# interleaved, so that a noisy machine disturbs both sides of a ratio alike.
set -uo pipefail
build=$1
shift
status=0
for name in bench_attacks bench_compiler bench_cpu bench_functional bench_rpc bench_rtl bench_systemc bench_workloads; do
  options=(--benchmark_min_time=0.2 --benchmark_repetitions=5 --benchmark_enable_random_interleaving=true)
  [[ $name != bench_workloads ]] || options=()
  # What measures two cores keeps to one where it should.
  pin=(taskset -c 0)
  [[ ! $name =~ ^bench_(attacks|cpu|rpc)$ ]] || pin=()
  "${pin[@]}" "$build/bench/$name" "${options[@]}" "$@" || status=$?
  echo
done
exit "$status"
