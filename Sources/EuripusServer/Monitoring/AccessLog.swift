// SPDX-License-Identifier: MIT
import HTTPListening
import Logging
import Synchronization

/// Writes a log line for each request. It names the request by its route, and has no text that the client
/// wrote.
final class AccessLog: Sendable {
  private let logger: Logger
  private let level: Logger.Level
  private let table: RouteTable
  private let lastRequest = Atomic<UInt64>(0)

  /// - Parameters:
  ///   - isWanted: whether the lines are at `info` instead of `debug`.
  ///   - table: the routes of the server.
  /// - Returns: `nil` if the logger takes no such lines.
  init?(_ logger: Logger, isWanted: Bool, of table: RouteTable) {
    level = isWanted ? .info : .debug
    guard logger.logLevel <= level else { return nil }
    (self.logger, self.table) = (logger, table)
  }

  func write(_ exchange: HTTPExchange) {
    let label = RequestLabel(exchange, in: table)
    let number = lastRequest.wrappingAdd(1, ordering: .relaxed).newValue
    let microseconds = (exchange.duration / .microseconds(1)).rounded()
    var members: Logger.Metadata = [
      "address": "\(exchange.clientAddress)", "bytes": .stringConvertible(exchange.response.body.count),
      "method": "\(label.method.isEmpty ? "-" : label.method)",
      "milliseconds": .stringConvertible(microseconds / 1_000), "request": .stringConvertible(Int(number)),
      "route": "\(label.route.isEmpty ? "-" : label.route)",
      "status": .stringConvertible(exchange.response.status),
    ]
    if let id = exchange.id { members["id"] = "\(id)" }
    logger.log(level: level, "request", metadata: members)
  }
}
