"""Arrays and who owns them: concrete and traced arrays, handles, borrows.

Importing any part installs the interpreter that computes at once.
"""

from ownarray._array import eager as eager
