"""What the survey of models and simplifiers runs."""
