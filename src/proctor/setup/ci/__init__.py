"""One file per CI service that `proctor init --ci` writes a first file for."""
