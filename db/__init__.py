"""What lasts: matches, people and standings in SQLite. Knows the values of the engine, never Discord."""
