"""The game at the board as pure functions and machines: no clock, no files, no hardware."""
