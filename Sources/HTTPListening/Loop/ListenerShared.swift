// SPDX-License-Identifier: MIT
import Locking
import Synchronization

/// The common part of the loops of one listener.
final class ListenerShared: Sendable {
  let configuration: HTTPListenerConfiguration
  let limits: RequestLimits
  /// The times of the configuration in nanoseconds.
  let headNanoseconds: UInt64
  let bodyNanoseconds: UInt64
  let responseNanoseconds: UInt64
  let idleNanoseconds: UInt64
  let streamStallNanoseconds: UInt64
  let clock: MonotonicClock
  /// The identity that connections show at first; nil for plain HTTP.
  let identity: LoadedIdentity?
  var isSecure: Bool { identity != nil }
  let socket: ListeningSocket
  /// The listener's own responses.
  let unavailable: HTTPResponse
  let failure: HTTPResponse
  let onRefusal: @Sendable (HTTPRefusal, HTTPRequest) -> HTTPResponse
  let handler: @Sendable (HTTPRequest) -> HTTPAnswer
  private let loops = Locked<[EventLoop]>([])
  private let dealt = Atomic<Int>(0)
  let admissions: Admissions

  init(
    configuration: HTTPListenerConfiguration, identity: LoadedIdentity?, socket: ListeningSocket,
    onRefusal: @escaping @Sendable (HTTPRefusal, HTTPRequest) -> HTTPResponse, unanswered: HTTPResponse?,
    handler: @escaping @Sendable (HTTPRequest) -> HTTPAnswer
  ) throws(HTTPListeningError) {
    for field in configuration.commonFields where !isFieldContent(Array(field.value.utf8).span) {
      throw .unsendableFields
    }
    self.configuration = configuration
    admissions = Admissions(configuration)
    unavailable = unanswered.map(\.closing) ?? .unavailable(configuration.commonFields)
    failure = .failure(configuration.commonFields)
    clock = configuration.clock
    self.identity = identity
    limits = RequestLimits(
      target: configuration.maxTargetBytes, headerBytes: configuration.maxHeaderBytes,
      headerFields: configuration.maxHeaderFields, body: configuration.maxBodyBytes)
    headNanoseconds = MonotonicClock.nanoseconds(configuration.headTimeout)
    bodyNanoseconds = MonotonicClock.nanoseconds(configuration.bodyTimeout)
    responseNanoseconds = MonotonicClock.nanoseconds(configuration.responseTimeout)
    idleNanoseconds = MonotonicClock.nanoseconds(configuration.idleTimeout)
    streamStallNanoseconds = MonotonicClock.nanoseconds(configuration.streamStallTimeout)
    self.socket = socket
    self.onRefusal = onRefusal
    self.handler = handler
  }

  /// The time, in nanoseconds, that a client gains by taking so many bytes of a response.
  func responseCredit(_ bytes: UInt64) -> UInt64 {
    Self.credit(bytes, rate: configuration.minResponseRate, most: responseNanoseconds)
  }

  /// The time, in nanoseconds, that a client gains by sending so many bytes of a body that is read while it comes.
  func bodyCredit(_ bytes: Int) -> UInt64 {
    Self.credit(UInt64(bytes), rate: configuration.minResponseRate, most: bodyNanoseconds)
  }

  static func credit(_ bytes: UInt64, rate: Int, most: UInt64) -> UInt64 {
    let (product, overflows) = bytes.multipliedReportingOverflow(by: 1_000_000_000)
    return overflows ? most : min(product / UInt64(max(1, rate)), most)
  }

  /// Sets the loops to which connections are dealt. To be called before any of them runs.
  func deal(to loops: [EventLoop]) { self.loops.withLock { $0 = loops } }

  /// The loop that gets the next connection.
  func nextLoop() -> EventLoop {
    let turn = dealt.wrappingAdd(1, ordering: .relaxed).oldValue
    return loops.withLock { $0[Int(UInt(bitPattern: turn) % UInt($0.count))] }
  }

  /// The key by which a client's connections are counted.
  func key(of peer: PeerAddress) -> AddressKey {
    if let isExempt = configuration.isExemptFromAddressLimit, isExempt(peer.numeric) { return .uncounted }
    return AddressKey(peer)
  }
}
