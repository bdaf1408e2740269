"""One file for each test runner; each binds `RUNNER`."""
