"""Figures that this project promises, measured: `make bench` prints them."""
