"""The numbered SQL files, one folder for each kind of database. `db.migrate` runs them."""
