"""Builds and measurements on other machines."""
