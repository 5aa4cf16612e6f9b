// SPDX-License-Identifier: MIT

/// The counts of a listener since it started. The numbers only grow, except for `connections`.
///
/// They are not of one instant. Each number is right, but two of them may be some microseconds apart.
package struct HTTPListenerCounts: Sendable, Equatable {
  /// The connections that are open now, including those that only wait for their clients to close.
  package var connections = 0
  /// Connections that were let in.
  package var accepted = 0
  /// Connections that were closed at once because there were `maxConnections`.
  package var refusedAtLimit = 0
  /// Connections that were closed at once because their address or network had as many as it may.
  package var refusedPerAddress = 0
  /// Connections that were closed at once because `maxHandshakes` were under way, and those whose address had
  /// `maxHandshakesPerAddress`.
  package var refusedHandshakes = 0
  package var refusedHandshakesPerAddress = 0
  /// Requests that were handed to the handler.
  package var requests = 0
  /// Requests that were refused before any handler, by `HTTPRefusal.name`. Every name is there.
  package var refusals: [String: Int] = [:]
  /// Clients that were cut off because a head, a body or the taking of a response took too long, and because
  /// nothing came on an idle connection.
  package var lateHeads = 0
  package var lateBodies = 0
  package var lateResponses = 0
  package var idle = 0
  /// Idle connections that were closed because there were nearly `maxConnections`.
  package var crowdedOut = 0
  /// Clients that were cut off because they took nothing of a stream for `streamStallTimeout`. Clients are
  /// counted too that had not taken the stream's end when so long had passed after its life.
  package var stalledStreams = 0
  /// Bytes of requests, decrypted. Heads are counted as they are usually written.
  package var bytesReceived = 0
}
