import sys
from pathlib import Path

# Tests are imported by path (importlib mode), so helpers beside them are made importable here.
sys.path.insert(0, str(Path(__file__).parent))
