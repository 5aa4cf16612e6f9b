// SPDX-License-Identifier: MIT
import HTTPListening

/// The names under which a request is counted and logged. There are few of them, and none is chosen by a
/// client.
struct RequestLabel {
  /// The template of the path. It is empty for a path that leads to nothing, and for a request that was refused
  /// before it was read.
  let route: String
  /// The method, or `other`. It is empty for a request that was refused before it was read.
  let method: String

  /// - Parameters:
  ///   - mark: the mark of ``mark(_:)``; 0 for a request that was refused before it was read.
  ///   - method: the method; `nil` for one that the server does not know.
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
  /// - Parameter resource: the resource at its path; `nil` if the path leads to none.
  static func mark(_ resource: Resource?) -> UInt16 { resource.map { UInt16($0.number + 2) } ?? 1 }
}
