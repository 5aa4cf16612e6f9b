// SPDX-License-Identifier: MIT

/// Why a server did not start.
public enum ServerError: Error, CustomStringConvertible {
  case noSuchDirectory(String)

  public var description: String {
    switch self {
    case .noSuchDirectory(let path):
      "there is no directory '\(path)' to serve static files from; a relative path starts at the current directory"
    }
  }
}
