// SPDX-License-Identifier: MIT
import HTTPListening
import Locking

/// Counts requests by route, method and status, and the problems among their answers.
final class RequestMeters: Sendable {
  /// The kind of a request and of its answer. Its names are looked up when the counts are read.
  private struct Label: Hashable {
    let mark: UInt16
    let method: RequestMethod?
    let status: Int
  }

  private let requests = Locked<[Label: Int]>([:])
  private let problems: [CounterSeries]
  private let refusals: [CounterSeries]

  static let refusalsName = "euripus_limit_refusals_total"
  static let refusalsHelp =
    "Requests that were refused at a limit, and connections that were closed at one, by its setting."

  init(of table: RouteTable, in registry: MetricRegistry) {
    problems = Problem.Kind.allCases.map {
      registry.counter("euripus_problems_total", "Answers that are problems, by their type.", [("type", $0.rawValue)])
    }
    refusals = Limit.allCases.map {
      registry.counter(Self.refusalsName, Self.refusalsHelp, [("limit", $0.rawValue)])
    }
    registry.read("euripus_http_requests_total", .counter, "Requests that were answered, by route, method and status.")
    {
      [requests] in requests.withLock { $0 }.map { Self.reading($0.key, $0.value, table) }
    }
  }

  func count(_ exchange: HTTPExchange) {
    // A request that was refused before it was read is counted without a method.
    let method = exchange.mark == 0 ? nil : RequestMethod(rawValue: exchange.method)
    let label = Label(mark: exchange.mark, method: method, status: exchange.response.status)
    requests.withLock { $0[label, default: 0] += 1 }
    let note = ResponseNote(exchange.response.note)
    if let kind = note.kind { problems[kind].increment() }
    if let limit = note.limit { refusals[limit].increment() }
  }

  private static func reading(_ label: Label, _ count: Int, _ table: RouteTable) -> MetricReading {
    let names = RequestLabel(mark: label.mark, method: label.method, in: table)
    return MetricReading(count, [("route", names.route), ("method", names.method), ("status", "\(label.status)")])
  }
}
