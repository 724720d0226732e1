"""TensorFlow Lite models, by way of their FlatBuffers."""
