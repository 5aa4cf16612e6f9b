// SPDX-License-Identifier: MIT
import HTTPListening

/// The counts of the listener.
enum ListenerReadings {
  /// Makes `registry` read the counts. The registry keeps nothing of the listener alive.
  static func add(of listener: HTTPListener, to registry: MetricRegistry) {
    let read = {
      (name: String, kind: MetricKind, help: String, value: @escaping @Sendable (HTTPListenerCounts) -> Int) in
      registry.read(name, kind, help) { [weak listener] in listener.map { [MetricReading(value($0.counts))] } ?? [] }
    }
    read("euripus_connections", .gauge, "Connections that are open.") { $0.connections }
    read("euripus_connections_accepted_total", .counter, "Connections that were let in.") { $0.accepted }
    read("euripus_connections_idle_closed_total", .counter, "Connections that were closed because no request came.") {
      $0.idle
    }
    read(
      "euripus_connections_crowded_out_total", .counter,
      "Idle connections that were closed because there were nearly as many as allowed."
    ) { $0.crowdedOut }
    read("euripus_received_bytes_total", .counter, "Bytes of requests, decrypted.") { $0.bytesReceived }
    registry.read("euripus_requests_refused_total", .counter, "Requests that were refused before they had a route.") {
      [weak listener] in
      (listener?.counts.refusals ?? [:]).map { MetricReading($0.value, [("reason", $0.key)]) }
    }
    // Limits that are met where no request can be answered.
    registry.read(RequestMeters.refusalsName, .counter, RequestMeters.refusalsHelp) { [weak listener] in
      (listener?.counts).map(refusals) ?? []
    }
  }

  static func refusals(_ counts: HTTPListenerCounts) -> [MetricReading] {
    [
      ("max-connections", counts.refusedAtLimit), ("max-connections-per-address", counts.refusedPerAddress),
      ("max-handshakes", counts.refusedHandshakes),
      ("max-handshakes-per-address", counts.refusedHandshakesPerAddress), ("head-time", counts.lateHeads),
      ("body-time", counts.lateBodies), ("response-time", counts.lateResponses),
      ("stream-stall", counts.stalledStreams),
    ].map { MetricReading($0.1, [("limit", $0.0)]) }
  }
}
