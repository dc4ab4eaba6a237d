"""How far judges agree with people, people with each other, and a judge with itself. No Django, no state."""

from judging.agreement.ratings import About, Rating, Scale, columns
from judging.agreement.report import Agreement, Statistic, Statistics, agreement

__all__ = ["About", "Agreement", "Rating", "Scale", "Statistic", "Statistics", "agreement", "columns"]
