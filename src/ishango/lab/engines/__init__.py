"""Who plays a sweep: processes of this machine, jobs of SLURM, workers of Dask. `registry` has them by name."""
