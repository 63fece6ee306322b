"""Tables of facts about the clouds, with their sources. They are read when first used."""
