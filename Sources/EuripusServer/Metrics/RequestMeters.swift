// SPDX-License-Identifier: MIT
import HTTPListening
import Metering
import Synchronization

/// How many requests there were, by route, method and status, and what was wrong with them.
///
/// One addition to an atomic a request, found by its index.
// @unchecked Sendable: the cells are atomics, allocated in `init` and freed in `deinit`.
final class RequestMeters: @unchecked Sendable {
  /// The statuses that are told apart; another one is counted as 0.
  private static let statuses = [
    0, 200, 201, 204, 206, 304, 400, 401, 403, 404, 405, 406, 408, 409, 410, 412, 413, 414, 415, 416, 417, 421, 422,
    428,
    429, 431, 500, 501, 503, 505, 507,
  ]
  private static let columns: [UInt8] = {
    var columns = [UInt8](repeating: 0, count: 600)
    for (column, status) in statuses.enumerated() { columns[status] = UInt8(column) }
    return columns
  }()
  private static let columnCount = statuses.count
  private static let count = RequestLabel.count * statuses.count
  /// Cells from one stripe to the next, in whole lines of caches.
  private static let stride = (count + 15) / 8 * 8

  private let cells: UnsafeMutablePointer<Atomic<UInt64>>
  private let columns = RequestMeters.columns
  private let problems: [CounterSeries]
  private let refusals: [CounterSeries]

  static let refusalsName = "euripus_limit_refusals_total"
  static let refusalsHelp =
    "Requests that were refused at a limit, and connections that were closed at one, by its setting."

  init(in registry: MetricRegistry) {
    cells = .allocate(capacity: Self.stride * Stripe.count)
    for index in 0..<Self.stride * Stripe.count { (cells + index).initialize(to: Atomic(0)) }
    problems = Problem.Kind.allCases.map {
      registry.counter("euripus_problems_total", "Answers that are problems, by their type.", [("type", $0.rawValue)])
    }
    refusals = Limit.allCases.map {
      registry.counter(Self.refusalsName, Self.refusalsHelp, [("limit", $0.rawValue)])
    }
    registry.read("euripus_http_requests_total", .counter, "Requests that were answered, by route, method and status.")
    {
      [weak self] in self?.readings ?? []
    }
  }

  deinit {
    cells.deinitialize(count: Self.stride * Stripe.count)
    cells.deallocate()
  }

  func count(_ exchange: HTTPExchange) {
    let status = exchange.response.status
    let column = columns.indices.contains(status) ? Int(columns[status]) : 0
    cells[Stripe.own * Self.stride + Int(exchange.mark) * Self.columnCount + column].wrappingAdd(1, ordering: .relaxed)
    if exchange.response.note != 0 { count(ResponseNote(exchange.response.note)) }
  }

  private func count(_ note: ResponseNote) {
    if let kind = note.kind { problems[kind].increment() }
    if let limit = note.limit { refusals[limit].increment() }
  }

  private var readings: [MetricReading] {
    (0..<Self.count).compactMap { index in
      let count = (0..<Stripe.count).reduce(0) { $0 + cells[$1 * Self.stride + index].load(ordering: .relaxed) }
      if count == 0 { return nil }
      let label = RequestLabel(mark: UInt16(index / Self.statuses.count))
      let status = Self.statuses[index % Self.statuses.count]
      return MetricReading(
        count,
        [
          ("route", label.route), ("method", label.methodName), ("status", status == 0 ? "other" : "\(status)"),
        ])
    }
  }
}

/// What a response is, beside its status, for who counts: which problem, and at which limit.
struct ResponseNote {
  /// Its place in `Problem.Kind.allCases`.
  let kind: Int?
  /// Its place in `Limit.allCases`.
  let limit: Int?

  init(_ bits: UInt16) {
    kind = bits & 0xFF == 0 ? nil : Int(bits & 0xFF) - 1
    limit = bits >> 8 == 0 ? nil : Int(bits >> 8) - 1
  }

  static func bits(_ kind: Problem.Kind, _ limit: Limit?) -> UInt16 {
    let place = limit.flatMap { Limit.allCases.firstIndex(of: $0) }.map { UInt16($0) + 1 } ?? 0
    return kinds[kind, default: 0] | place << 8
  }

  private static let kinds = Dictionary(
    uniqueKeysWithValues: Problem.Kind.allCases.enumerated().map { ($0.element, UInt16($0.offset) + 1) })
}
