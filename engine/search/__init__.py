"""One search per task: it proposes candidates and learns from their results."""
