"""Tasks and trials: tables, filters, details, differences."""
