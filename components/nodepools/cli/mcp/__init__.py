"""The MCP server: its tools, their inputs, and the calls."""
