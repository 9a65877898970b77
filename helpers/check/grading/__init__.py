"""The teacher's side of the checker: whole classes of notebooks, graded.

    python -m helpers.check FOLDER --csv grades.csv

Of each notebook only the statements that an answer needs are run (needs.py, judge.py),
in a process of its own (worker.py, processes.py) that is ended when its time is up
(watch.py).
The table and the CSV are in report.py. It helps a teacher to see who needs which help;
it is no examination: a learner who wants to deceive it can.
"""

from __future__ import annotations

from .paths import notebooks
from .verdict import Verdict
from .watch import grade

__all__ = ["Verdict", "grade", "notebooks"]
