"""What people see of questions and answers: contexts of pages and documents of the API; nothing here writes."""
