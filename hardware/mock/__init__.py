"""A board made of software: register-level chips, reeds, pieces, hands and a recording strip."""
