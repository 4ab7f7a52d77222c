"""The process: command line, settings, the game host and the Discord client."""
