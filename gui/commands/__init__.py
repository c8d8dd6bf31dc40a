"""All that menus and keys can do: one object a command."""
