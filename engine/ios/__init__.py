"""Inter-operator scheduling: operators side by side, in stages."""
