"""Sentences are encoded whatever their number and length."""

from legalqa.encoder.sentences import sentences_encode


def test_a_sentence_longer_than_the_encoder_reads_is_encoded_by_its_beginning() -> None:
    long = "rent " * 400
    [whole, beginning] = sentences_encode([long, "rent " * 254])

    assert float(whole @ beginning) > 0.999
