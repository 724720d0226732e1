"""ONNX's own operator tests, by the way that a person's model goes."""
