// SPDX-License-Identifier: MIT

/// The counts of a listener since it started; the numbers only grow, but for `connections`.
///
/// Not of one instant: each number is right, two of them may be some microseconds apart.
public struct HTTPListenerCounts: Sendable, Equatable {
  /// Connections that are open now, those included that are only waited for to end.
  public var connections = 0
  /// Connections that were let in.
  public var accepted = 0
  /// Connections that were closed at once because there were `maxConnections`.
  public var refusedAtLimit = 0
  /// Connections that were closed at once because their address had `maxConnectionsPerAddress`.
  public var refusedPerAddress = 0
  /// Connections that were closed at once because there were `maxHandshakes` under way, and because their address had
  /// `maxHandshakesPerAddress`.
  public var refusedHandshakes = 0
  public var refusedHandshakesPerAddress = 0
  /// Requests handed to the handler.
  public var requests = 0
  /// Requests refused before any handler, by `HTTPRefusal.name`; every name is there.
  public var refusals: [String: Int] = [:]
  /// Clients that were cut off because a head, a body or the taking of a response took too long, and because nothing
  /// came on a connection that was kept.
  public var lateHeads = 0
  public var lateBodies = 0
  public var lateResponses = 0
  public var idle = 0
  /// Clients that were cut off because they took nothing of a stream for `streamStallTimeout`, and those that had still
  /// not taken its end when so long had passed after its life.
  public var stalledStreams = 0
  /// Bytes of requests, decrypted: of heads as they are usually written, and of bodies.
  public var bytesReceived = 0
}
