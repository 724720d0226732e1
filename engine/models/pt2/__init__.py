"""PyTorch programs that torch.export.save wrote, read without unpickling anything."""
