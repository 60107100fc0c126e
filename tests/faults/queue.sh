#!/usr/bin/env bash
# bash queue.sh ROOT FOLDER GEARSHIFT_SOLID: the batch scripts of examples/cluster with stand-ins for SLURM's
# commands: a stopped job is queued again and continues from its checkpoint; it is not queued again when it
# is done or after an error.
set -euo pipefail
root=$1 folder=$2 solid=$3
fail() { echo "error: $1: $(cat job.log)"; exit 1; }
rm -rf "$folder" && mkdir -p "$folder/bin" && cd "$folder"
# srun: one rank, with additional options of the test.
printf '%s\n' '#!/bin/sh' 'while [ "${1#--}" != "$1" ]; do shift; done' 'exec "$@" $EXTRA' >bin/srun
printf '%s\n' '#!/bin/sh' 'echo "$*" >>queued' >bin/scontrol
printf '%s\n' '#!/bin/sh' "exec '$solid' \"\$@\"" >bin/gearshift-solid
chmod +x bin/*
printf '%s\n' 'dm_plex_box_faces: 2,1,1' 'E: 1e6' 'nu: 0.3' 'rho: 1000' 'clamp: xmin' 'gravity: 0,0,-1' 'gear_dt: 0.01' \
  'gear_t_end: 0.05' >case.yaml
export PATH=$PWD/bin:$PATH SLURM_JOB_ID EXTRA
job() { bash "$root/examples/cluster/$1.sh" case.yaml >job.log 2>&1; }
for script in one_node many_nodes; do
  SLURM_JOB_ID=7_$script
  rm -f queued
  EXTRA='-gear_max_wall 1e-9' job $script || fail "$script: a job that was stopped fails"
  [ "$(cat queued)" = "requeue 7_$script" ] || fail "$script: not queued again"
  [ -s "checkpoint-7_$script.h5" ] || fail "$script: no checkpoint"
  EXTRA='' job $script || fail "$script: the second job fails"
  grep -q 'continues from the checkpoint' job.log || fail "$script: the second job begins anew"
  grep -q '^done: t = 0.05, 5 steps' job.log || fail "$script: the second job does not come to the end"
  [ "$(wc -l <queued)" = 1 ] || fail "$script: queued again after the end"
  if EXTRA='-gravty 1' job $script; then fail "$script: no error"; fi
  [ "$(wc -l <queued)" = 1 ] || fail "$script: queued again after an error"
done
if bash "$root/examples/cluster/one_node.sh" >job.log 2>&1; then fail "no case file"; fi
grep -q 'sbatch one_node.sh case.yaml' job.log || fail "no usage"
