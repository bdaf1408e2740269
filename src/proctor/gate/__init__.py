"""Evidence to verdict: plain values in, findings out."""
