"""The operators that models are drawn of."""

OPERATORS = []  # each a function of a drawing, and how often it is drawn


def operator(weight=1.0):
    def add(function):
        OPERATORS.append((function, weight))
        return function
    return add
