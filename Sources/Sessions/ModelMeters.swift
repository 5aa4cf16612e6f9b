// SPDX-License-Identifier: MIT
import Metering

/// What is counted of all sessions on one view model.
public final class ModelMeters: Sendable {
  let opened: CounterSeries
  let closed: CounterSeries
  let expired: CounterSeries
  /// How many came back from the store into memory, and went.
  let loaded: CounterSeries
  let left: CounterSeries
  /// How long an action, or the setting of a value, had its session, in seconds.
  let actions: HistogramSeries
  let commands: CounterSeries
  let commandsDone: CounterSeries
  let commandsFailed: CounterSeries
  let commandsCancelled: CounterSeries
  let commandsTimedOut: CounterSeries
  /// How often what was not asked for by a request has made a state longer than it may be.
  let statesTooLong: CounterSeries
  /// What there was no room for in the memories of keys.
  let keysForgotten: CounterSeries
  let answersGivenUp: CounterSeries

  init(_ model: String, in registry: MetricRegistry) {
    let label = [("model", model)]
    opened = registry.counter("euripus_sessions_opened_total", "Sessions that were opened.", label)
    let ended = { (reason: String) in
      registry.counter(
        "euripus_sessions_ended_total", "Sessions that were closed by their client, or idle for too long.",
        label + [("reason", reason)])
    }
    (closed, expired) = (ended("closed"), ended("idle"))
    loaded = registry.counter("euripus_sessions_loaded_total", "Sessions that were read from the store.", label)
    left = registry.counter(
      "euripus_sessions_left_total", "Sessions that left memory, and live on in the store.", label)
    actions = registry.histogram(
      "euripus_action_duration_seconds", "How long actions, and writing of values, had their session, in seconds.",
      label)
    commands = registry.counter("euripus_commands_started_total", "Runs of commands that began.", label)
    let over = { (outcome: String) in
      registry.counter(
        "euripus_commands_ended_total", "Runs of commands that are over.", label + [("outcome", outcome)])
    }
    (commandsDone, commandsFailed) = (over("done"), over("failed"))
    (commandsCancelled, commandsTimedOut) = (over("cancelled"), over("timed-out"))
    statesTooLong = registry.counter(
      "euripus_states_too_long_total", "Times that a command's writing made a state longer than it may be.", label)
    keysForgotten = registry.counter(
      "euripus_keys_forgotten_total", "Idempotency keys that a session forgot within a day, for newer ones.", label)
    answersGivenUp = registry.counter(
      "euripus_key_answers_given_up_total", "Answers that a session gave up, of requests with keys, for newer ones.",
      label)
  }

  var living: Int64 { opened.value + loaded.value - left.value - closed.value - expired.value }
  var executing: Int64 {
    commands.value - commandsDone.value - commandsFailed.value - commandsCancelled.value - commandsTimedOut.value
  }
}
