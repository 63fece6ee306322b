"""The playground: the command line in a page, without a server."""
