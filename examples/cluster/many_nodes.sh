#!/bin/bash
# Several whole nodes:  sbatch --nodes=8 examples/cluster/many_nodes.sh case.yaml
# Continues by itself after the time limit, like one_node.sh; see restart.md.
#SBATCH --job-name=gearshift
#SBATCH --nodes=4
#SBATCH --ntasks-per-node=32
#SBATCH --cpus-per-task=1
#SBATCH --exclusive
#SBATCH --time=08:00:00
#SBATCH --signal=USR1@600
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=%x-%j.log
set -uo pipefail
case_file=${1:?give the case file: sbatch many_nodes.sh case.yaml}
export OMP_NUM_THREADS=1
state=checkpoint-$SLURM_JOB_ID.h5
# One file for each output, whatever the number of ranks: open solution.vtkhdf.series.
srun --cpu-bind=cores --distribution=block:block gearshift-solid -options_file "$case_file" -output_every 100 -output_format vtkhdf \
  -output "results-$SLURM_JOB_ID" -gear_checkpoint "$state" -gear_checkpoint_wall 3600 -gear_restart "$state"
code=$?
if ((code == 75)); then
  scontrol requeue "$SLURM_JOB_ID"
  exit 0
fi
exit "$code"
