"""Operators of ai.onnx.ml beside the forests: features, and models of one product."""
