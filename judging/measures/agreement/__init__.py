"""How far judges agree with people, people with each other, and a judge with itself. No Django, no state."""

from judging.measures.agreement.ratings import About, Rating, Scale, columns
from judging.measures.agreement.report import Agreement, agreement
from judging.measures.agreement.statistics import Statistic, Statistics
