// SPDX-License-Identifier: MIT

/// The reason why an app cannot be served.
enum AppError: Error, CustomStringConvertible {
  case modelNameTaken(String)

  var description: String {
    switch self {
    case .modelNameTaken(let name):
      "two view models have the name '\(name)'; expected each surface of 'models' to have a name of its own"
    }
  }
}
