"""Numbers that are not written as such: dates, and numbers with a text before or after them."""

import datetime
import re

DATE = re.compile(r"\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d)?)?", re.ASCII)
AMOUNT = re.compile(r"([+-]?)(\D*?)([+-]?[\d.,]*\d(?:[eE][+-]?\d+)?)(\D*)", re.ASCII)
FIRST_DAY = datetime.datetime(1970, 1, 1)
DAY = datetime.timedelta(1)


class Dates:
    """Dates, perhaps with a time of the day: days since 1970."""

    key = "date"
    is_likely = True

    @staticmethod
    def number(text):
        """The number as text, or None if there is none."""
        try:
            days = (datetime.datetime.fromisoformat(text) - FIRST_DAY) / DAY
        except ValueError:
            return None
        return "%.10g" % days if DATE.fullmatch(text) else None

    @staticmethod
    def text(number):
        """The text of the number."""
        time = FIRST_DAY + DAY * float(number)
        return time.isoformat(" ") if time.time() != datetime.time() else time.date().isoformat()

    @staticmethod
    def describe():
        return "dates, which become days since 1970"


class Amounts:
    """Numbers with the same texts before and after each."""

    def __init__(self, before, after):
        self.key = [before, after]
        self.is_likely = not any(map(str.isalpha, before))  # unlike names such as "room 1"

    def number(self, text):
        match = AMOUNT.fullmatch(text)
        return match[1] + match[3] if match and [match[2], match[4]] == self.key else None

    def text(self, number):
        return number.join(self.key)

    def describe(self):
        return 'numbers between "%s" and "%s"' % tuple(self.key)


def form_like(text):
    """The form of this text, or None."""
    if Dates.number(text) is not None:
        return Dates
    match = AMOUNT.fullmatch(text)
    return Amounts(match[2], match[4]) if match else None


def form_of(key):
    """The form that a names file has. Raises ValueError if there is none."""
    if key is None:
        return None
    if key == Dates.key:
        return Dates
    if not isinstance(key, list) or list(map(type, key)) != [str, str]:
        raise ValueError("a form of numbers")
    return Amounts(*key)
