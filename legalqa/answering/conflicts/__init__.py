"""Two provisions that cannot both be followed: what they differ in, and whether one of them gives way. Pure."""
