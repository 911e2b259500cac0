"""Arrays and who owns them: concrete and traced arrays, handles, borrows."""
