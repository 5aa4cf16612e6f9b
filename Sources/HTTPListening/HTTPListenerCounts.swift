// SPDX-License-Identifier: MIT

/// The counts of a listener since it started. The numbers only grow, except for `connections`.
///
/// They are not of one instant. Each number is right, but two of them may be some microseconds apart.
public struct HTTPListenerCounts: Sendable, Equatable {
  /// The connections that are open now, including those that only wait for their clients to close.
  public var connections = 0
  /// Connections that were let in.
  public var accepted = 0
  /// Connections that were closed at once because there were `maxConnections`.
  public var refusedAtLimit = 0
  /// Connections that were closed at once because their address or network had as many as it may.
  public var refusedPerAddress = 0
  /// Connections that were closed at once because `maxHandshakes` were under way, and those whose address had
  /// `maxHandshakesPerAddress`.
  public var refusedHandshakes = 0
  public var refusedHandshakesPerAddress = 0
  /// Requests that were handed to the handler.
  public var requests = 0
  /// Requests that were refused before any handler, by `HTTPRefusal.name`. Every name is there.
  public var refusals: [String: Int] = [:]
  /// Clients that were cut off because a head, a body or the taking of a response took too long, and because
  /// nothing came on an idle connection.
  public var lateHeads = 0
  public var lateBodies = 0
  public var lateResponses = 0
  public var idle = 0
  /// Idle connections that were closed because there were nearly `maxConnections`.
  public var crowdedOut = 0
  /// Clients that were cut off because they took nothing of a stream for `streamStallTimeout`. Clients are
  /// counted too that had not taken the stream's end when so long had passed after its life.
  public var stalledStreams = 0
  /// Bytes of requests, decrypted. Heads are counted as they are usually written.
  public var bytesReceived = 0
}
