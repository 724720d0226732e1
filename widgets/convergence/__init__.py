"""Curves of tasks over trials, and what is believed of them."""
