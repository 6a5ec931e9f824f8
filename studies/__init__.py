"""What only a study needs: scripts that make the tables and figures of the docs, and archives of runs."""
