"""Fine-tuning the encoder that searches compare meanings by."""
