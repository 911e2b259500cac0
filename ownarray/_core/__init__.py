"""Programs and what they are made of; pure data, no compiler."""
