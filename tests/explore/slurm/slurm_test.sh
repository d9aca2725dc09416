#!/usr/bin/env bash
# Sweeps on a Slurm cluster (cluster.sh): what comes of them is what workers of this machine find, each program once,
# whatever is killed, requeued or run twice meanwhile.
#
#   slurm_test.sh VANTAGE_BINARY [CASE...]
set -uo pipefail
vantage=$(readlink -f "$1")
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
# shellcheck source=tests/explore/slurm/cluster.sh
. "$(dirname "${BASH_SOURCE[0]}")/cluster.sh"
require_cluster

# A name that wants quotes everywhere.
work=$(mktemp -d "${TMPDIR:-/tmp}/vantage slurm %a'XXXXXX")
folder=$(mktemp -d)
failures=0
cleanup() {
  stop_cluster
  # shellcheck disable=SC2046  # numbers
  kill -KILL $(jobs -p) 2>/dev/null
  wait 2>/dev/null
  rm -rf "$work" "$folder"
}
trap cleanup EXIT
trap 'exit 130' INT TERM HUP
start_cluster "$folder"
export VANTAGE_CACHE_DIR=$work/cache
cd "$work" || exit 1

fail() {
  echo "FAILED: $case: $*"
  failures=$((failures + 1))
}
begin() {
  case=$1
  db=$work/$2.sqlite
  began=$SECONDS
}

# Calls of sbatch are counted.
mkdir bin
cat >bin/sbatch <<END
#!/bin/sh
echo "\$@" >>"$folder/asked"
[ ! -e "$folder/without-tool" ] || rm -f "\$VANTAGE_TEST_COPY"
exec $(command -v sbatch) "\$@"
END
chmod +x bin/sbatch
PATH=$work/bin:$PATH
asked() { cat "$folder/asked" 2>/dev/null | wc -l; }

echo '{"parameters": {"LOG_BLOCK_IN": [2, 3], "LOG_BLOCK_OUT": [3, 4], "memory": ["m1", "m64"],
  "LOG_ACC_BUFF_SIZE": [13], "LOG_INP_BUFF_SIZE": [12]}}' >space.json
space=(sweep space.json --workloads "gemm:64x256x256,gemm:128x256x256,gemm:196x256x256" --best 0)
programs=24
by_slurm() { "$vantage" "${space[@]}" --db "$db" --engine slurm "$@" >out 2>err; }
# The same to be killed, as $sweep: of a function the shell would give its own process.
start_sweep() {
  # A shell has what it starts so ignore Ctrl-C.
  env --default-signal=INT "$vantage" "${space[@]}" --db "$db" --engine slurm >out 2>err &
  sweep=$!
}
finishes() {
  while kill -0 "$sweep" 2>/dev/null; do
    hurry_requeued
    sleep 0.3
  done
  wait "$sweep" || fail "the sweep ends with status $?: $(cat err)"
}

# All layers with their counters.
rows() {
  sqlite3 "$1" "SELECT d.name, d.config, d.memory, l.* FROM designs d JOIN layer_results l ON l.design = d.id" | sort
}
complete() {
  cmp -s <(rows local.sqlite) <(rows "$db") || fail "its rows differ from those of local workers"
  [[ $(sqlite3 "$db" "SELECT COUNT(*) FROM programs") == "$programs" ]] || fail "some programs are there twice"
  [[ ! -e $db.slurm ]] || fail "its folder is left: $(ls -R "$db.slurm")"
}
answers() { find "$db.slurm" -name 'answers-*' -exec cat {} + 2>/dev/null | wc -l; }
has_answers() { [[ $(answers) -ge $1 ]]; }
queue_is_empty() { [[ -z $(squeue --noheader) ]]; }
# An array's task that runs, as squeue's FORMAT says it.
running() { squeue --noheader --array --states=RUNNING --format="$1" | head -n "${2:-1}"; }
on_node_2() { [[ -n $(squeue --noheader --states=RUNNING --nodelist=n2) && -n $(job_processes n2) ]]; }

case_same() {
  begin "as local workers" same
  by_slurm || fail "status $?: $(cat err)"
  complete
  # The array is as large as this cluster lets it be.
  [[ $(asked) == 2 ]] || fail "sbatch was called $(asked) times"
  until_true 50 queue_is_empty || fail "jobs are left"
}

case_few() {
  begin "two jobs at a time" few
  by_slurm --jobs 2 &
  sweep=$!
  most=0
  while kill -0 $sweep 2>/dev/null; do
    now=$(running %A 9 | wc -l)
    [[ $now -le $most ]] || most=$now
    sleep 0.05
  done
  finishes
  [[ $most -le 2 ]] || fail "$most run at a time"
  complete
}

case_killed() {
  begin "the sweep itself is killed" killed
  start_sweep
  until_true 300 has_answers 2 || fail "there are no answers"
  kill -KILL $sweep
  wait $sweep 2>/dev/null
  until_true 600 queue_is_empty || fail "the jobs do not end"
  [[ $(answers) == "$programs" ]] || fail "the jobs have left $(answers) answers"
  before=$(asked)
  by_slurm || fail "status $?: $(cat err)"
  [[ $(asked) == "$before" ]] || fail "what was answered was asked for again"
  complete
}

case_cancelled() {
  begin "jobs are killed" cancelled
  before=$(asked)
  start_sweep
  until_true 300 has_answers 1 || fail "there are no answers"
  # Until one was hit: those that are found may have ended.
  until_true 100 eval 'scancel "$(running %A)" 2>/dev/null' || fail "no job could be cancelled"
  until_true 100 eval 'kill -KILL $(job_processes n1) 2>/dev/null' || fail "no process could be killed"
  finishes
  complete
  [[ $(asked) -gt $((before + 2)) ]] || fail "nothing was asked for again"
}

case_requeued() {
  begin "a job is requeued" requeued
  start_sweep
  until_true 300 has_answers 1 || fail "there are no answers"
  until_true 100 eval 'scontrol requeue "$(running %A)" 2>/dev/null' || fail "no job could be requeued"
  finishes
  complete
}

case_twice() {
  begin "a shard is served twice" twice
  start_sweep
  until_true 300 has_answers 1 || fail "there are no answers"
  for shard in "$db".slurm/vantage-*/requests-*.jsonl; do
    "$vantage" worker --shard "$shard" 2>>served.log || true  # its folder may be gone when the sweep has ended
  done
  finishes
  complete
}

case_stopped() {
  begin "Ctrl-C" stopped
  start_sweep
  until_true 300 has_answers 1 || fail "there are no answers"
  kill -INT $sweep
  wait $sweep
  status=$?
  [[ $status == 130 ]] || fail "status $status"
  until_true 60 queue_is_empty || fail "its jobs are left: $(squeue)"
  by_slurm || fail "and again: status $?: $(cat err)"
  complete
}

case_node() {
  begin "a node is killed" node
  start_sweep
  until_true 300 on_node_2 || fail "the node has no job"
  kill_node n2
  finishes
  complete
  [[ $(sinfo --noheader --nodes=n2 --format=%T) != idle ]] || fail "the node has not died"
  start_node n2
}

# On nodes that lack the tool. A copy of it, which is gone when the first job is there.
case_without() {
  begin "nodes without the tool" without
  mkdir "$work/copy"
  cp "$vantage" copy/
  : >"$folder/without-tool"
  VANTAGE_TEST_COPY=$work/copy/vantage VANTAGE_ROOT=$root \
    copy/vantage sweep space.json --workloads gemm:1x16x16 --db "$db" --engine slurm >out 2>err
  status=$?
  rm "$folder/without-tool"
  [[ $status == 1 ]] || fail "status $status"
  grep -q "error: 8 of 8 programs could not be run.*twice; it says last: .*not found" err ||
    fail "it says: $(cat err)"
  "$vantage" sweep space.json --workloads gemm:1x16x16 --db "$db" --engine slurm >out 2>err ||
    fail "and with it: status $?: $(cat err)"
}

case_partition() {
  begin "a partition that is not there" partition
  by_slurm --sbatch "--partition=none"
  status=$?
  [[ $status == 2 ]] || fail "status $status"
  grep -q "invalid partition" err || fail "it says: $(cat err)"
  [[ ! -e $db.slurm ]] || fail "its folder is left"
}

case_backslash() {
  begin "a folder that no job can write into" 'back\slash'
  by_slurm
  status=$?
  [[ $status == 2 ]] || fail "status $status"
  grep -q "a backslash in its name" err || fail "it says: $(cat err)"
}

case_missing() {
  begin "no Slurm" missing
  (PATH=$work && by_slurm)
  status=$?
  [[ $status == 2 ]] || fail "status $status"
  grep -q "slurm-client" err || fail "it says: $(cat err)"
}

case_down() {
  begin "a cluster that is down" down
  kill -KILL "$controller"
  timeout 60 "$vantage" "${space[@]}" --db "$db" --engine slurm >out 2>err
  status=$?
  [[ $status == 2 ]] || fail "status $status"
  grep -qi "unable to contact" err || fail "it says: $(cat err)"
}

case="local workers"
"$vantage" "${space[@]}" --db local.sqlite >out 2>err || fail "local workers: $(cat err)"
[[ $(rows local.sqlite | wc -l) == "$programs" ]] || fail "local workers have other rows than expected"

shift
[[ $# -gt 0 ]] || set -- same few killed cancelled requeued twice stopped node without partition backslash missing down
for name; do
  "case_$name"
  echo "$case: $((SECONDS - began)) s"
done

[[ $failures == 0 ]] && echo "all came out right"
exit "$((failures > 0))"
