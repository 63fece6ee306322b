"""Tables of the clouds, with their origin; read when they are first asked."""
