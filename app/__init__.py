"""The application: window, document, actions and command line over the engine."""
