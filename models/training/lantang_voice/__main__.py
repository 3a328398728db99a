"""Command line: `python -m lantang_voice STEP`. Each step reads what the steps before it left in the workspace."""

import argparse
from pathlib import Path

from . import commands
from .pausing import stand_aside_while_exists


def main() -> None:
    """Run one step."""
    parser = argparse.ArgumentParser(prog="lantang_voice", description=__doc__)
    parser.add_argument("--workspace", type=Path, default=Path("workspace"), help="folder of everything that is made")
    parser.add_argument("--pause-file", type=Path, help="halt for as long as this file exists")
    steps = parser.add_subparsers(dest="step", required=True, metavar="STEP")
    for command in commands.COMMANDS:
        step = steps.add_parser(command.name, help=command.help, description=command.help)
        command.options(step)
        step.set_defaults(act=command.act)
    arguments = parser.parse_args()
    if arguments.pause_file:
        stand_aside_while_exists(arguments.pause_file)
    arguments.act(arguments)


if __name__ == "__main__":
    main()
