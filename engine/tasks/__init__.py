"""Tuning tasks: targets, lowering, extraction, FLOPs, fingerprints."""
