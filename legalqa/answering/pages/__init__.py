"""What people see of questions and answers: contexts of pages and objects of the API; nothing here writes."""
