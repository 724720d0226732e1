"""Attention as one task: matched in the Relax graph, its operands read where they lie."""
