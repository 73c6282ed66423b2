"""The four games as data: one TOML file each, every rule with its source."""
