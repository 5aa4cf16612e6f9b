// SPDX-License-Identifier: MIT

/// What a request is counted and logged as: its route and its method, of which there are few, and nothing that a client chose.
struct RequestLabel: Equatable {
  static let methods = ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "other"]

  /// How many marks there are.
  static let count = 1 + (1 + Resource.allCases.count) * methods.count

  /// As it travels with the request: 0 for a request that was refused before its method was looked at.
  let mark: UInt16
  /// Which of `methods` it is.
  let method: Int

  init(mark: UInt16) {
    self.mark = mark
    method = mark == 0 ? Self.methods.count - 1 : (Int(mark) - 1) % Self.methods.count
  }

  /// - Parameter resource: `nil` for a path where there is none.
  init(_ resource: Resource?, _ method: String) {
    let row = resource.map { $0.rawValue + 1 } ?? 0
    self.method = Self.index(method)
    mark = UInt16(1 + row * Self.methods.count + self.method)
  }

  /// The template of the path; empty where there is no resource, or none was found out.
  var route: String {
    let row = mark == 0 ? 0 : (Int(mark) - 1) / Self.methods.count
    return row == 0 ? "" : Resource.allCases[row - 1].template
  }

  var methodName: String { mark == 0 ? "" : Self.methods[method] }

  private static func index(_ method: String) -> Int {
    switch method {
    case "GET": 0
    case "HEAD": 1
    case "POST": 2
    case "PUT": 3
    case "DELETE": 4
    case "OPTIONS": 5
    default: 6
    }
  }
}
