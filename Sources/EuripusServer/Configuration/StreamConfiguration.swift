// SPDX-License-Identifier: MIT

/// The times of streams of changes (PROTOCOL §5).
public struct StreamConfiguration: Sendable {
  /// The time without an event after which a comment is sent. By the comment, proxies see that the stream
  /// lives.
  public var heartbeat: Duration = .seconds(15)
  /// The life of a stream. After it the reader comes back for another one.
  public var life: Duration = .seconds(300)
  /// The pause before a reader that has lost its stream comes back. If the server ended the stream, the pause
  /// is between half of that and one and a half of it. To the millisecond.
  public var retry: Duration = .seconds(2)

  public init() {}

  /// The pause for a reader whose stream the server ends. It is scattered, so that readers that end together do
  /// not come back together.
  var scatteredRetry: Duration { retry * Double.random(in: 0.5...1.5) }
}
