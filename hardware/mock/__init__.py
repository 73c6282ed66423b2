"""The wooden board made of software: expanders, wires, reeds, lights."""
