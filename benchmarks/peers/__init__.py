"""How other boards read hands, each written down as honestly as a tafl game allows.

Every method keeps what its origin does and gets no help beyond it, with three exceptions without
which none of them could play tafl at all: the rules of the game come from `engine`; a victim that
still stands after a capture is no error (where the method knows the lenient rule); and a chip that
does not answer leaves the last known state of its cells, as their drivers do.

    settle.py    B-1 settle and match, B-5 one-frame match, B-6 two-ply search
    events.py    B-2 list of lifts and places, and its variant with two slots
    targets.py   B-3 legal-target state machine
    confirm.py   B-4 confirm button
"""
