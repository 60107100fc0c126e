#!/bin/bash
# One node, one rank per core:  sbatch examples/cluster/one_node.sh case.yaml
# A job that does not finish within its time limit writes a checkpoint, exits with 75 and is queued again under the same
# job number, with the same output folder, until it is done.
#SBATCH --job-name=gearshift
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=32
#SBATCH --cpus-per-task=1
#SBATCH --time=02:00:00
#SBATCH --signal=USR1@300
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=%x-%j.log
set -uo pipefail
case_file=${1:?give the case file: sbatch one_node.sh case.yaml}
export OMP_NUM_THREADS=1
state=checkpoint-$SLURM_JOB_ID.h5
# SLURM sends SIGUSR1 to the ranks 300 s before the time limit: long enough for a step and its checkpoint.
srun --cpu-bind=cores gearshift-solid -options_file "$case_file" -output "results-$SLURM_JOB_ID" \
  -gear_checkpoint "$state" -gear_checkpoint_wall 1800 -gear_restart "$state"
code=$?
if ((code == 75)); then
  scontrol requeue "$SLURM_JOB_ID"
  exit 0
fi
exit "$code"
