"""How far judges agree with people, people with each other, and a judge with itself. No Django, no state."""

from judging.agreement.ratings import About, Rating, Scale, columns
from judging.agreement.report import Agreement, agreement
from judging.agreement.statistics import Statistic, Statistics
