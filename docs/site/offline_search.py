"""A hook of mkdocs.  A page that is opened from a file may not read other files, but it may run
scripts: the search index is therefore also written as a script.  Code listings are not searched.
WORDS are what people call the subject of a page or section; the search takes them for titles."""
import json
import pathlib
from typing import Mapping


WORDS = {
    "table.html#what-columns-become": "missing values NaN categorical categories one-hot",
    "weights.html": "imbalanced unbalanced balanced classes class weights",
    "solvers.html#the-problem": "multiclass multi-class one vs one rest classification regression "
                                "SVR outliers anomaly",
    "python.html#probabilities": "predict_proba probability confidence calibration",
    "python.html#kernels-that-are-functions": "custom",
    "grid.html": "grid search cross validation hyperparameters tuning",
    "options.html#svm-scale": "normalize standardize feature scaling",
    "search.html": "GridSearchCV",
    "migration-thundersvm.html": "GPU CUDA",
    "csmo.html": "csmo",
}


def on_post_build(config: Mapping) -> None:
    folder = pathlib.Path(config["site_dir"]) / "search"
    index = json.loads((folder / "search_index.json").read_text(encoding="utf-8"))
    index["docs"] = [each for each in index["docs"]
                     if not each["location"].startswith("source/")]
    parts = {each["location"]: each for each in index["docs"]}
    for location, words in WORDS.items():
        parts[location]["words"] = words
    text = json.dumps(index, separators=(",", ":"))
    (folder / "search_index.json").write_text(text, encoding="utf-8")
    (folder / "search_index.js").write_text(f"var __search = {{index: Promise.resolve({text})}};\n",
                                            encoding="utf-8")
