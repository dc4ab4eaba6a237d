"""What kind of answer a question asks for."""
