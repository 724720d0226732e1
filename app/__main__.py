"""`python -m app` is `tunewright`."""

from app.cli import main

if __name__ == "__main__":
    main()
