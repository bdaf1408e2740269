"""The formats of an audit, one file each."""
