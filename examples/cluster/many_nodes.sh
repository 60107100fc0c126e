#!/bin/bash
# Several nodes, whole nodes only:  sbatch --nodes=8 examples/cluster/many_nodes.sh case.yaml
#SBATCH --job-name=gearshift
#SBATCH --nodes=4
#SBATCH --ntasks-per-node=32
#SBATCH --cpus-per-task=1
#SBATCH --exclusive
#SBATCH --time=08:00:00
#SBATCH --output=%x-%j.log
set -euo pipefail
case_file=${1:?give the case file: sbatch many_nodes.sh case.yaml}
export OMP_NUM_THREADS=1
# Every rank writes a .vtu at each output: on many ranks write rarely.
srun --cpu-bind=cores --distribution=block:block gearshift-solid -options_file "$case_file" -vtk_every 100 \
  -output "results-$SLURM_JOB_ID" -log_view ":results-$SLURM_JOB_ID.log"
