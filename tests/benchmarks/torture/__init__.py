"""What is opened or killed in whatever way: nothing of it runs, crashes, hangs or is lost."""
