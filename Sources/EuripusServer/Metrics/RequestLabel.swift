// SPDX-License-Identifier: MIT

/// What a request is counted and logged as: its route and its method, of which there are few, and nothing that a client chose.
struct RequestLabel: Equatable {
  /// How many marks there are.
  static let count = 1 + (1 + Resource.allCases.count) * RequestMethod.allCases.count

  /// As it travels with the request: 0 for a request that was refused before its method was looked at.
  let mark: UInt16

  init(mark: UInt16) { self.mark = mark }

  /// - Parameter resource: `nil` for a path where there is none.
  init(_ resource: Resource?, _ method: RequestMethod) {
    let row = resource.map { $0.rawValue + 1 } ?? 0
    mark = UInt16(1 + row * RequestMethod.allCases.count + method.rawValue)
  }

  /// The template of the path; empty where there is no resource, or none was found out.
  var route: String {
    let row = mark == 0 ? 0 : (Int(mark) - 1) / RequestMethod.allCases.count
    return row == 0 ? "" : Resource.allCases[row - 1].template
  }

  var methodName: String {
    mark == 0 ? "" : RequestMethod(rawValue: (Int(mark) - 1) % RequestMethod.allCases.count)?.name ?? ""
  }
}
