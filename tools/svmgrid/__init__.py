"""What grid.py and easy.py are made of."""
