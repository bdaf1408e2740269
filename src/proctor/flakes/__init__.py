"""Which tests are flaky, by the history of their runs; which of them are quarantined."""
