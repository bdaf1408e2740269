"""The verdict as a page for a browser: one file, no network, nothing hostile in it alive."""
