"""The components for other languages: a schema made of the models, and arguments read from the wire into them."""
