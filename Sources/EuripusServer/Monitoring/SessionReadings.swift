// SPDX-License-Identifier: MIT
import Sessions

/// The counts of the sessions, as metrics.
enum SessionReadings {
  /// Makes `registry` read the counts. The registry keeps nothing of the host alive.
  static func add(of host: SessionHost, to registry: MetricRegistry) {
    let read = {
      (name: String, kind: MetricKind, help: String, readings: @escaping @Sendable (SessionHost) -> [MetricReading]) in
      registry.read(name, kind, help) { [weak host] in host.map(readings) ?? [] }
    }
    read("euripus_store_backlog", .gauge, "Sessions whose changes are not in the store yet.") {
      [MetricReading($0.storeBacklog)]
    }
    read("euripus_store_bytes", .gauge, "Room that stored sessions take, as counted, in bytes.") {
      [MetricReading($0.storeBytes)]
    }
    read("euripus_store_limit_bytes", .gauge, "Room that stored sessions may take, in bytes.") {
      [MetricReading($0.storeLimit)]
    }
    read(
      "euripus_store_sessions_ended_total", .counter, "Stored sessions that ended because the store was nearly full."
    ) { [MetricReading($0.storeEnds)] }
    read("euripus_session_memory_bytes", .gauge, "Memory that the sessions take, as counted, in bytes.") {
      [MetricReading($0.memoryBytes)]
    }
    read("euripus_session_memory_limit_bytes", .gauge, "Memory that the sessions may take, in bytes.") {
      [MetricReading($0.memoryLimit)]
    }
    read("euripus_polls_waiting", .gauge, "Polls and streams that wait for a change.") {
      [MetricReading($0.waitingPolls)]
    }
    read(
      "euripus_polls_displaced_total", .counter,
      "Polls and streams that had to make room for a newer one of their client."
    ) { [MetricReading($0.displacedPolls)] }
    for row in rows { read(row.name, row.kind, row.help) { $0.counts.flatMap(row.readings) } }
  }

  /// A metric with one or more values for each view model.
  private struct Row: Sendable {
    let name: String
    let kind: MetricKind
    let help: String
    let readings: @Sendable (_ model: String, SessionCounts) -> [MetricReading]

    init(
      _ name: String, _ kind: MetricKind, _ help: String,
      _ readings: @escaping @Sendable (_ model: String, SessionCounts) -> [MetricReading]
    ) {
      (self.name, self.kind, self.help, self.readings) = (name, kind, help, readings)
    }

    init(_ name: String, _ kind: MetricKind, _ help: String, value: @escaping @Sendable (SessionCounts) -> Int64) {
      self.init(name, kind, help) { [MetricReading(value($1), [("model", $0)])] }
    }
  }

  private static let rows = [
    Row("euripus_sessions", .gauge, "Living sessions in memory.") { $0.living },
    Row("euripus_sessions_opened_total", .counter, "Sessions that were opened.") { $0.opened.value },
    Row(
      "euripus_sessions_ended_total", .counter,
      "Sessions that were closed by their client, idle for too long, or ended for a newer one or by an operator."
    ) {
      split(
        $0, "reason",
        [
          ("closed", $1.closed.value), ("idle", $1.expired.value), ("superseded", $1.superseded.value),
          ("ended", $1.ended.value),
        ])
    },
    Row("euripus_sessions_loaded_total", .counter, "Sessions that were read from the store.") { $0.loaded.value },
    Row("euripus_sessions_left_total", .counter, "Sessions that left memory, and live on in the store.") {
      $0.left.value
    },
    Row(
      "euripus_action_duration_seconds", .histogram,
      "How long actions, and writing of values, had their session, in seconds."
    ) { model, counts in
      let reading = counts.actions.reading
      return [
        MetricReading(
          Distribution(bounds: DurationTally.bounds, counts: reading.counts, sum: reading.sum), [("model", model)])
      ]
    },
    Row("euripus_commands_started_total", .counter, "Runs of commands that began.") { $0.commands.value },
    Row("euripus_commands_executing", .gauge, "Runs of commands that are under way.") { $0.executing },
    Row("euripus_commands_ended_total", .counter, "Runs of commands that are over.") {
      split(
        $0, "outcome",
        [
          ("done", $1.commandsDone.value), ("failed", $1.commandsFailed.value),
          ("cancelled", $1.commandsCancelled.value), ("timed-out", $1.commandsTimedOut.value),
        ])
    },
    Row("euripus_states_too_long_total", .counter, "Times that a command's writing made a state longer than it may be.")
    {
      $0.statesTooLong.value
    },
    Row(
      "euripus_keys_forgotten_total", .counter, "Idempotency keys that a session forgot within a day, for newer ones."
    ) {
      $0.keysForgotten.value
    },
    Row(
      "euripus_key_answers_given_up_total", .counter,
      "Answers that a session gave up, of requests with keys, for newer ones."
    ) { $0.answersGivenUp.value },
  ]

  /// The readings of one model, one for each value of a label.
  private static func split(_ model: String, _ label: String, _ values: [(String, Int64)]) -> [MetricReading] {
    values.map { MetricReading($0.1, [("model", model), (label, $0.0)]) }
  }
}
