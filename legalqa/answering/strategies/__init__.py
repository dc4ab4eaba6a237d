"""Ways to answer a question, one a file; `legalqa.answering.apps` registers them."""
