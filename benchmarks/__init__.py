"""Side-by-side measurements; `make bench` runs them all, `python -m benchmarks NAME` one of them."""
