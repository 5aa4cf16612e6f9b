// SPDX-License-Identifier: MIT

/// The error that stands for running code of a view model over which a server has died before (PROTOCOL §9).
package struct Poisoned: Error, CustomStringConvertible {
  package init() {}

  package var description: String {
    """
    the server went down over this before, so it was not done, and nothing was changed; it may be tried again in an hour, or when \
    the server's operator allows it
    """
  }
}
