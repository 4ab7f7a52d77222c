"""What people touch: one feature of the bot a file."""
