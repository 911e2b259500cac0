"""From Python to programs: applying primitives under the interpreter that the operands ask for."""
