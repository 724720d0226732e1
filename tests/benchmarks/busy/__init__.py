"""Whether a run beside other programs ends with the figures of a quiet one, or says it did not."""
