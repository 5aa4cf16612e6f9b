// SPDX-License-Identifier: MIT

/// How long things take in streams of changes (PROTOCOL §5).
struct Streaming: Sendable {
  /// How long nothing is sent before a comment is.
  let heartbeat: Duration
  let life: Duration
  /// How long a reader waits that has lost its stream.
  let retry: Duration

  init(_ configuration: ServerConfiguration) {
    heartbeat = configuration.streamHeartbeat
    life = configuration.streamLife
    retry = configuration.streamRetry
  }

  /// How long a reader waits whose stream the server ends: from half of `retry` to one and a half, so that those who were
  /// ended together do not come back together.
  var scatteredRetry: Duration { retry * Double.random(in: 0.5...1.5) }
}
