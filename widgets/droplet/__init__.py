"""Droplet's way through a design space."""
