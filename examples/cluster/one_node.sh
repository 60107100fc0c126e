#!/bin/bash
# One node, one rank per core:  sbatch examples/cluster/one_node.sh case.yaml
#SBATCH --job-name=gearshift
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=32
#SBATCH --cpus-per-task=1
#SBATCH --time=02:00:00
#SBATCH --output=%x-%j.log
set -euo pipefail
case_file=${1:?give the case file: sbatch one_node.sh case.yaml}
export OMP_NUM_THREADS=1
srun --cpu-bind=cores gearshift-solid -options_file "$case_file" -output "results-$SLURM_JOB_ID" -log_view ":results-$SLURM_JOB_ID.log"
