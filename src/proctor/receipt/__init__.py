"""Receipts: one file that says what one command did on one tree, and its checks."""
