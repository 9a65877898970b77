"""Grade learners' notebooks: `python -m helpers.check FOLDER_OR_NOTEBOOK …`."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from .grading import Verdict, grade, notebooks, page
from .grading.report import csv_file, part_of, table

ABOUT = """\
Grade the exercises in learners' notebooks.

An answer is the name that the exercise asks for (my_softmax, MyMultiHeadAttention), in
whichever cell it stands, or what stands in its place inside check.softmax(…). Only what
answers need is run, for each notebook in a process of its own and in a scratch folder;
no notebook is written to. For each exercise it says
  correct        the checker accepts it
  wrong          and which mistake was found: in words, and as an id
  not attempted  the stub is as it was
  missing        no cell defines the answer (deleted, or given another name)
  not judged     a cell that it needs fails (the first cause is named), it ran out of
                 time or ended the process, or the file is no notebook or a link
"""
EXAMPLES = """\
examples:
  python -m helpers.check notebooks/03_scaled_dot_product.ipynb
  python -m helpers.check class_of_2025 --csv grades.csv
  python -m helpers.check class_of_2025 --report report.html

Run it only on code that you would run yourself: nothing keeps it from your files.
"""


def main(arguments: list[str] | None = None) -> int:
    """Read the arguments, grade, print the table, write the CSV."""
    parser = argparse.ArgumentParser(
        prog="python -m helpers.check",
        description=ABOUT,
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "paths", nargs="+", metavar="PATH", help="notebooks, or folders full of them"
    )
    parser.add_argument("--csv", type=Path, metavar="FILE", help="write a CSV as well")
    parser.add_argument(
        "--report", type=Path, metavar="FILE", help="write one HTML page to read"
    )
    parser.add_argument(
        "--anonymous",
        action="store_true",
        help="numbers in place of names on that page, and no code",
    )
    parser.add_argument(
        "--seconds",
        type=_positive,
        default=120.0,
        help="how long the code of one notebook may run (default 120)",
    )
    parser.add_argument(
        "--memory",
        type=_positive,
        default=4.0,
        metavar="GB",
        help="how much memory it may use, on Linux (default 4)",
    )
    parser.add_argument(
        "--jobs",
        type=int,
        default=max(1, (os.cpu_count() or 1) // 2),
        help="notebooks at the same time (default: half of the processors)",
    )
    options = parser.parse_args(arguments)
    try:
        files = notebooks(options.paths)
        for file in filter(None, (options.csv, options.report)):
            if file.is_dir():
                raise ValueError(f"{file} is a folder")
            if not file.absolute().parent.is_dir():
                raise ValueError(f"{file}: its folder is not there; make it first")
        if options.anonymous and not options.report:
            raise ValueError("--anonymous is about the page: add --report FILE")
        with contextlib.ExitStack() as stack:
            add = options.csv and stack.enter_context(csv_file(options.csv))
            return _graded(files, options, add)
    except (ValueError, OSError) as error:
        parser.error(str(error))
    except KeyboardInterrupt:
        if options.csv:
            kept = f"what was graded is in {part_of(options.csv)}"
            print(f"Interrupted; {kept}.", file=sys.stderr)
        return 130


def _graded(
    files: Sequence[Path],
    options: argparse.Namespace,
    add: Callable[[Sequence[Verdict]], None] | None,
) -> int:
    """Grade, write the rows, print the table."""
    verdicts: list[Verdict] = []
    settings = {name: getattr(options, name) for name in ("seconds", "jobs", "memory")}
    for done, found in enumerate(grade(files, **settings), start=1):
        verdicts += found
        if add:
            add(found)
        _progress(done, len(files))
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="replace")  # a console without × or √
    print(table(verdicts))
    if options.report:
        page.write(options.report, verdicts, anonymous=options.anonymous)
    return 0


def _positive(text: str) -> float:
    number = float(text)
    if not number > 0:
        raise argparse.ArgumentTypeError(f"{text} is not above 0")
    return number


def _progress(done: int, of: int) -> None:
    if sys.stderr.isatty():
        print(f"\r{done} of {of}", end="\n" if done == of else "", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
