"""The forms of an answer: text, Markdown, JSON, and the formats of reviews."""
