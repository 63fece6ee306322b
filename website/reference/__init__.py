"""Pages made of the code: commands, fields, label keys, rules, schemas."""
