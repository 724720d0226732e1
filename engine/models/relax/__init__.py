"""From a prepared ONNX model to Relax."""
