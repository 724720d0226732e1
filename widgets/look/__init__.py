"""Colours, icons, words and units: how all views look and speak."""
