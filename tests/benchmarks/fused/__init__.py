"""A transformer layer in kernels by hand: the instances, the driver, and what is measured."""
