"""Model files into Relax: ONNX, shapes, simplification, samples."""
