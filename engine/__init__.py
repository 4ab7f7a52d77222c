"""The rules of War and the etiquette of a table. Standard library only: no clock, no I/O."""
