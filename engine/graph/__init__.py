"""The network of fused operators, and where its nodes stand."""
