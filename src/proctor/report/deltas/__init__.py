"""What the oracle found, for people and programs: one file per format."""
