"""Components of the payments team."""
