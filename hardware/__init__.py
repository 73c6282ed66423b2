"""Switches and lights of a 9x9 board, by cell number 0..80; knows nothing of tafl."""
