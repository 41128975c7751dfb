"""The parts of export.py: the model that is read, the numbers that are stored, the header in C."""
