"""What views are made of: tables, forms, notices, bars."""
