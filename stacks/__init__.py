"""The platforms of this project, a module each."""
