"""The page: an observer of the board, in a process of its own."""
