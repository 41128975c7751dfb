"""The names file: what the columns of a table are, so that other tables are converted in the same
way, and numbers turned back into names."""

import json

from .columns import MISSING, NUMBER
from .forms import form_of
from .source import Source, TableError

FORMAT = "csmo table 1"
KINDS = ("number", "category", "label", "dropped")


class Column:
    """A column of the table. kind: one of KINDS; feature: the number of a number's feature; values:
    the features of categories, or the numbers of labels, by name, None if labels are numbers;
    missing: what stands in the place of missing values, "" for nothing, None to refuse them; form:
    how numbers are written, None if as numbers."""

    def __init__(self, name, kind, feature=None, values=None, missing=None, form=None):
        self.name, self.kind = name, kind
        self.feature, self.values, self.missing, self.form = feature, values, missing, form

    @property
    def features(self):
        """The numbers of all its features."""
        if self.kind == "number":
            return [self.feature]
        return list(self.values.values()) if self.kind == "category" else []

    def to_json(self):
        entry = {"name": self.name, "kind": self.kind}
        if self.feature is not None:
            entry["feature"] = self.feature
        if self.values is not None:
            entry["labels" if self.kind == "label" else "features"] = self.values
        if self.missing is not None:
            entry["missing"] = self.missing
        if self.form is not None:
            entry["form"] = self.form.key
        return entry

    @staticmethod
    def from_json(entry):
        """Raises KeyError, TypeError or ValueError if this is no column."""
        column = Column(entry["name"], entry["kind"], entry.get("feature"),
                        entry.get("labels" if entry["kind"] == "label" else "features"),
                        entry.get("missing"), form_of(entry.get("form")))
        column.check()
        return column

    def check(self):
        """Raises ValueError if this is no column."""
        is_good = isinstance(self.name, str) and self.kind in KINDS
        is_good = is_good and (self.missing is None or isinstance(self.missing, str))
        if self.kind == "number":
            is_good = is_good and self.values is None and (
                self.missing is None or NUMBER.fullmatch(self.missing))
        if self.kind == "category":
            is_good = is_good and isinstance(self.values, dict) and (
                not self.missing or self.missing in self.values)
        numbers = list((self.values or {}).values()) if self.kind == "label" else self.features
        if not is_good or not all(type(number) is int and number > 0 for number in numbers):
            raise ValueError("column %s" % self.name)
        if len(set(numbers)) != len(numbers):
            raise ValueError("column %s: a number twice" % self.name)


class Names:
    """All columns, in the order of the table. has_header: whether its first row had their names;
    gaps: the texts that mark missing values."""

    def __init__(self, columns, has_header, gaps=MISSING):
        self.columns = columns
        self.has_header = has_header
        self.gaps = gaps

    @property
    def label(self):
        """The column of the label, or None."""
        return next((column for column in self.columns if column.kind == "label"), None)

    @property
    def needs_file(self):
        """Whether another table could be converted differently without the names file."""
        return any(column.values is not None or column.missing is not None or column.form is not None
                   for column in self.columns)

    def write(self, file):
        content = {"format": FORMAT, "header": self.has_header,
                   "columns": [column.to_json() for column in self.columns]}
        if self.gaps != MISSING:
            content["gaps"] = sorted(self.gaps)
        file.write(json.dumps(content, indent=1, ensure_ascii=False).encode("utf-8") + b"\n")

    @staticmethod
    def read(path):
        """Reads the file, or standard input for "-". Raises ValueError if it is no names file."""
        source = Source(path)
        try:
            with source.open() as file:
                content = json.load(file)
            if content["format"] != FORMAT:
                raise ValueError('its format is not "%s"' % FORMAT)
            names = Names([Column.from_json(entry) for entry in content["columns"]],
                          content["header"] is True,
                          frozenset(map(str, content.get("gaps", MISSING))))
            names.check()
            return names
        except (KeyError, TypeError, ValueError, AttributeError, RecursionError,
                TableError) as error:
            what = "no %s" % error if isinstance(error, KeyError) else str(error)
            raise ValueError("%s: not a names file of svm-convert (%s)" % (source.name, what)) from None

    def check(self):
        """Raises ValueError if features do not ascend, or there are several labels."""
        last = 0
        for column in self.columns:
            for feature in sorted(column.features):
                if feature <= last:
                    raise ValueError("the features of column %s do not ascend" % column.name)
                last = feature
        if [column.kind for column in self.columns].count("label") > 1:
            raise ValueError("several labels")
