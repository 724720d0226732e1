"""`tunewright`, and `python -m app`."""

from __future__ import annotations

from app.own_packages import refuse_foreign


def main() -> None:
    """Carry out the command line, if all that it will import is ours."""
    refuse_foreign()
    from app.cli.main import main as command_line

    command_line()


if __name__ == "__main__":
    main()
