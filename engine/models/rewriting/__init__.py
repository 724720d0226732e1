"""ONNX to ONNX: what TVM lacks or lowers badly, by operators that it has."""
