"""Jobs, the resources they share, and the thread that runs them."""
