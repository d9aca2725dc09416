# shellcheck shell=bash
# cluster.sh, to source: a Slurm cluster of two nodes on this machine, in a folder of its own, for as long as a test
# runs. Needs root and what packages.txt has under [cluster].

# require_cluster: says so and exits with 77 where there can be none.
require_cluster() {
  local program
  [[ $(id -u) == 0 ]] || skip_cluster "a cluster of one's own wants root"
  for program in munged slurmctld slurmd sbatch; do
    command -v $program >/dev/null || skip_cluster "there is no $program; packages.txt has its package under [cluster]"
  done
}
skip_cluster() {
  echo "SKIPPED: $1"
  exit 77
}

# start_cluster FOLDER: starts it and sets SLURM_CONF; nodes n1 and n2 of two processors each. A trap is to call
# stop_cluster.
start_cluster() {
  cluster=$1
  local host
  host=$(hostname -s)
  mkdir -m 700 "$cluster/munge" "$cluster/state"
  export SLURM_CONF=$cluster/slurm.conf
  (umask 077 && head -c 1024 /dev/urandom >"$cluster/munge/key")
  cat >"$SLURM_CONF" <<CONF
ClusterName=vantage
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$(free_port)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$cluster/munge/socket,cred_expire=4
StateSaveLocation=$cluster/state
SlurmdSpoolDir=$cluster/spool-%n
SlurmctldPidFile=$cluster/slurmctld.pid
SlurmdPidFile=$cluster/slurmd-%n.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=batch_sched_delay=0,sched_interval=1,bf_interval=1
MpiDefault=none
ReturnToService=2
SlurmdTimeout=6
KillWait=2
MessageTimeout=3
MaxArraySize=17
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SlurmdParameters=config_overrides
NodeName=n1 NodeHostname=$host NodeAddr=127.0.0.1 Port=$(free_port) CPUs=2 RealMemory=1000
NodeName=n2 NodeHostname=$host NodeAddr=127.0.0.1 Port=$(free_port) CPUs=2 RealMemory=1000
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF
  munged --foreground --force --key-file="$cluster/munge/key" --socket="$cluster/munge/socket" \
    --pid-file="$cluster/munge/pid" --log-file="$cluster/munge/log" --seed-file="$cluster/munge/seed" \
    >>"$cluster/munged.log" 2>&1 &
  disown  # bash would tell how it ends
  until_true 50 test -S "$cluster/munge/socket"
  start_controller
  start_node n1
  start_node n2
  until_true 200 nodes_are_idle || skip_cluster "the cluster does not start: $(tail -n 3 "$cluster"/*.log)"
}
start_controller() {
  slurmctld -D >>"$cluster/slurmctld.log" 2>&1 &
  controller=$!
  disown
}
start_node() {
  VANTAGE_TEST_NODE=$cluster/$1 slurmd -D -N "$1" >>"$cluster/slurmd-$1.log" 2>&1 &
  disown
}
nodes_are_idle() { [[ $(sinfo --noheader --format=%T 2>/dev/null) == idle ]]; }

# What is requeued waits for two minutes, which would be long for a test: it may start as soon as its old credential has
# expired.
hurry_requeued() {
  local job
  for job in $(squeue --noheader --array --states=PENDING --format="%A %r" | sed -n 's/ BeginTime$//p'); do
    [[ " ${hurried:-} " == *" $job "* ]] || scontrol update JobId="$job" StartTime=now+5seconds && hurried+=" $job"
  done
}

free_port() {
  local port
  while port=$((20000 + RANDOM % 12000)); (: <"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do :; done
  echo "$port"
}

# until_true TENTHS COMMAND...: waits for so many tenths of a second at most until the command succeeds.
until_true() {
  local tries
  for ((tries = 0; tries < $1; ++tries)); do
    "${@:2}" && return 0
    sleep 0.1
  done
  return 1
}

# with_variable NAME=VALUE: the processes that were started with it in their environment.
with_variable() { with_variable_in "$1" /proc/[0-9]*/environ; }
with_variable_in() {
  # Strings that end in a zero byte, each of them whole.
  grep -lszxF -e "$1" "${@:2}" | cut -d / -f 3
}
# The processes of jobs on a node.
job_processes() {
  local ours
  ours=$(with_variable "SLURM_CONF=$SLURM_CONF")
  # shellcheck disable=SC2046,SC2086  # numbers
  [[ -z $ours ]] || with_variable_in "SLURMD_NODENAME=$1" $(printf '/proc/%s/environ ' $ours)
}

# kill_node NAME: as if its power had gone.
kill_node() {
  # shellcheck disable=SC2046  # numbers
  kill -KILL $(with_variable "VANTAGE_TEST_NODE=$cluster/$1") $(job_processes "$1") 2>/dev/null
}

# Ends all that start_cluster and jobs have started.
stop_cluster() {
  [[ -n ${cluster:-} ]] || return 0
  local node
  for node in n1 n2 n1 n2; do kill_node "$node"; done
  kill -KILL "$controller" 2>/dev/null
  # shellcheck disable=SC2046  # numbers
  kill -KILL $(with_variable "SLURM_CONF=$SLURM_CONF") 2>/dev/null
  return 0
}
