"""What source text says: its tests and checks, and the parts that decide what runs."""
