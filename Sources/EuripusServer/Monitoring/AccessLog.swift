// SPDX-License-Identifier: MIT
import HTTPListening
import Logging
import Synchronization

/// Writes a log line for each request. It names the request by its route, and has no text that the client
/// wrote. In a session it says who has sent the request.
final class AccessLog: Sendable {
  private let logger: Logger
  private let level: Logger.Level
  private let table: RouteTable
  private let lastRequest = Atomic<UInt64>(0)

  /// - Parameter table: the routes of the server.
  /// - Returns: `nil` if the logger takes no such lines.
  init?(_ configuration: LogConfiguration, of table: RouteTable) {
    guard let level = configuration.levelOfRequests else { return nil }
    (logger, self.level, self.table) = (configuration.logger, level, table)
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
    for note in exchange.notes { members[note.name] = "\(note.text)" }
    logger.log(level: level, "request", metadata: members)
  }
}
