"""Windows over a text that is longer than what the encoder reads at once."""

from collections.abc import Sequence


def token_windows(
    offsets: Sequence[tuple[int, int]], *, window_tokens: int, overlap_tokens: int
) -> tuple[tuple[int, int], ...]:
    """Return character windows of at most `window_tokens` tokens that cover every token.

    Windows start and end between words (where tokens do not touch) if a blank is within the
    last quarter of a step, so that a window's text read alone has the same tokens. A step is
    `window_tokens - overlap_tokens`; a start moved back to a blank repeats more than the overlap.

    Args:
        offsets: Half-open character span of each token, in order, special tokens left out.
        window_tokens: Largest number of tokens in a window, > 0; special tokens not counted.
        overlap_tokens: Tokens repeated from one window to the next, 0 <= overlap < window.

    Returns:
        Half-open character spans, in order, each reaching further than the previous one; the first
        starts with the first token, the last ends with the last. Empty without tokens.

    Raises:
        ValueError: the window is not positive or the overlap is not smaller than the window.

    Source: ours.
    """
    if window_tokens < 1 or not 0 <= overlap_tokens < window_tokens:
        raise ValueError(
            f"A window of {window_tokens} tokens with an overlap of {overlap_tokens} makes no progress; "
            "the window must be positive and the overlap at least 0 and smaller than the window."
        )
    slack = (window_tokens - overlap_tokens) // 4
    windows: list[tuple[int, int]] = []
    start, reached = 0, 0
    while reached < len(offsets):
        full = start + window_tokens
        end = _word_boundary(offsets, full, lowest=max(full - slack, reached + 1))
        windows.append((offsets[start][0], offsets[end - 1][1]))
        # Starting later than end - window keeps the next window's end beyond this one.
        lowest = max(start + 1, end - window_tokens + 1, end - overlap_tokens - slack)
        start = _word_boundary(offsets, max(end - overlap_tokens, start + 1), lowest=lowest)
        reached = end
    return tuple(windows)


def _word_boundary(offsets: Sequence[tuple[int, int]], position: int, *, lowest: int) -> int:
    """Return the last position from `lowest` to `position` where a blank precedes, else `position`."""
    if position >= len(offsets):
        return len(offsets)
    for candidate in range(position, lowest - 1, -1):
        if offsets[candidate][0] > offsets[candidate - 1][1]:
            return candidate
    return position
