"""Pictures of a match: engine values in, PNG or GIF bytes out. Knows nothing of Discord or of the database."""
