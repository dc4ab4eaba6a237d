"""From bytes on disk to a ParsedDocument, inside a child process that cannot do harm."""
