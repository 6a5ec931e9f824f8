"""Golden outputs: what every command printed and wrote when it was last looked at, as digests."""
