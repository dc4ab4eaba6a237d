"""How complex a question is: classifiers, their training, and the one that a corpus uses (HyPA-RAG 7)."""

from retrieval.complexity.predicting import complexity_predict
from retrieval.complexity.types import Prediction
