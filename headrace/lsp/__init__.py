"""The language server: what an editor asks about a text, answered from the parser and the definitions."""
