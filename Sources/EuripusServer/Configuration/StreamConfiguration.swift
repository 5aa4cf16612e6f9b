// SPDX-License-Identifier: MIT

/// The times of streams of changes (PROTOCOL §5).
public struct StreamConfiguration: Sendable {
  /// How long nothing is sent before a comment is, so that proxies see that the stream lives.
  public var heartbeat: Duration = .seconds(15)
  /// How long a stream lives; its reader comes back for another one.
  public var life: Duration = .seconds(300)
  /// How long a reader waits before it comes back that has lost its stream; where the server ended it, from half of that to
  /// one and a half. To the millisecond.
  public var retry: Duration = .seconds(2)

  public init() {}

  /// How long a reader waits whose stream the server ends: scattered, so that those who were ended together do not come back
  /// together.
  var scatteredRetry: Duration { retry * Double.random(in: 0.5...1.5) }
}
