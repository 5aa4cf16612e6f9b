// SPDX-License-Identifier: MIT

/// The times of streams of changes (PROTOCOL §5).
public struct StreamConfiguration: Sendable {
  /// The time without an event after which a comment is sent, so that proxies see that the stream lives.
  public var heartbeat: Duration = .seconds(15)
  /// The life of a stream; its reader comes back for another one.
  public var life: Duration = .seconds(300)
  /// The pause before a reader comes back that has lost its stream; where the server ended it, from half of that to
  /// one and a half. To the millisecond.
  public var retry: Duration = .seconds(2)

  public init() {}

  /// How long a reader waits whose stream the server ends: scattered, so that readers that were ended together do not come
  /// back together.
  var scatteredRetry: Duration { retry * Double.random(in: 0.5...1.5) }
}
