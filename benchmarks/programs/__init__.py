"""Programs that rows start as processes of their own."""
