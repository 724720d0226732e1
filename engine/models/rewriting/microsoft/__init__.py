"""What ONNX Runtime's optimizer writes, by operators of the standard."""
