"""Runs in one small file: made, described and unpacked again."""
