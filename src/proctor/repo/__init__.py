"""git as a program, and the content of a working tree as git's ids."""
