"""The parts of convert.py: tables, and what their columns become in a LIBSVM file."""
