"""The tests are of the installed package, or else of this source tree with a built library."""

import importlib.util
import sys
from pathlib import Path

if importlib.util.find_spec("csmo") is None:
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
