"""The components for other languages: a schema that is generated from the models, and a reader of arguments into them."""
