"""What a pass is asked, and what it gave."""
