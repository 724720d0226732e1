"""Weights of ONNX models that lie in files beside them."""
