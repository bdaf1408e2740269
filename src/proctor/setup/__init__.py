"""Installs Proctor in a repository and says what is set up."""
