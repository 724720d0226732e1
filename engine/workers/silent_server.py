"""Loaded by a fork server only, whose errors its workers tell: it has nobody to speak to.

It would print a traceback into a person's terminal where the system refuses it something.
"""

from __future__ import annotations

import os
import sys

if any("multiprocessing.forkserver" in word for word in sys.orig_argv):
    _nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(_nowhere, 2)
    os.close(_nowhere)
