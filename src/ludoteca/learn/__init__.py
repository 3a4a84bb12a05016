"""Training: the only part that needs PyTorch (``pip install 'ludoteca[learn]'``). What it makes plays without."""
