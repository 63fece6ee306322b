"""`python -m nodepools`."""

from nodepools.cli.main import main

main()
