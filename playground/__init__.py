"""A Discord on 127.0.0.1 (REST v10 and gateway v10) and a page to play on, with no account."""
