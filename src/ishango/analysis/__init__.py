"""What runs show: which of them may be pooled or compared, how strongly they select, and where they end."""
