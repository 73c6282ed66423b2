"""The daemon of a physical hnefatafl board: composes engine and hardware; owns time and files."""
