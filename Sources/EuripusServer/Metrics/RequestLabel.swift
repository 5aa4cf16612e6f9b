// SPDX-License-Identifier: MIT
import HTTPListening

/// The names under which a request is counted and logged: there are few of them, and none that a client chose.
struct RequestLabel {
  /// The template of the path; empty for a path that names nothing, and for a request that was refused before it was read.
  let route: String
  /// The method, or `other`; empty for a request that was refused before it was read.
  let method: String

  /// - Parameters:
  ///   - mark: As ``mark(_:)`` made it; 0 for a request that was refused before it was read.
  ///   - method: `nil` for one that the server does not know.
  ///   - table: the routes of the server.
  init(mark: UInt16, method: RequestMethod?, in table: RouteTable) {
    route = mark < 2 ? "" : table.resources[Int(mark) - 2].template.text
    self.method = mark == 0 ? "" : method?.rawValue ?? "other"
  }

  init(_ exchange: HTTPExchange, in table: RouteTable) {
    self.init(mark: exchange.mark, method: RequestMethod(rawValue: exchange.method), in: table)
  }

  /// The mark of a request that was read.
  ///
  /// - Parameter resource: `nil` for a path that names none.
  static func mark(_ resource: Resource?) -> UInt16 { resource.map { UInt16($0.number + 2) } ?? 1 }
}
