"""All cases: those of each module here, a line for each."""

from tests.cheats import base, caught, honest, inputs

CAUGHT = [
    *caught.CASES,
    *inputs.CASES,
    *base.CAUGHT,
]
HONEST = [
    *honest.CASES,
    *base.HONEST,
]
