"""What an attacker on the outside, or inside the repository under test, would try."""
