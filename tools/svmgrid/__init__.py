"""Modules of grid.py and easy.py."""
