"""Training the reader: does this passage answer this question, with which words; does this evidence support a claim."""
