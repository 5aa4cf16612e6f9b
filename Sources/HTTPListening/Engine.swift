// SPDX-License-Identifier: MIT
import CMicroHTTPDShim
import Glibc

/// One libmicrohttpd daemon, run on its loop's thread; no file but the `Engine` ones touches libmicrohttpd's pointers.
///
/// It has no socket and no thread: connections are given to it, and it does something only inside `run()`.
final class Engine {
  private let daemon: OpaquePointer
  private let context: Context
  /// Readable when `run()` has something to do.
  let epollDescriptor: Int32

  /// What libmicrohttpd keeps for a connection, in bytes, and zeroes after each request: room for a stub of a head and of a
  /// response, and nothing else (Decisions/0020).
  private static let connectionMemoryBytes = 1_024

  /// What the callbacks reach the loop by.
  fileprivate final class Context {
    unowned let loop: EventLoop
    let index: Int
    var opened = 0
    /// Of the connection that is being added.
    var address = AddressKey.none

    init(loop: EventLoop, index: Int) {
      self.loop = loop
      self.index = index
    }
  }

  /// - Parameters:
  ///   - loop: The loop that will run it, and outlives it.
  ///   - index: Which of the loop's engines this is.
  ///   - configuration: What a connection may take.
  ///   - identity: What it proves itself by over TLS; nil for plain HTTP.
  /// - Throws: `systemRefused`.
  init(
    loop: EventLoop, index: Int, configuration: HTTPListenerConfiguration, identity: LoadedIdentity?
  ) throws(HTTPListeningError) {
    let context = Context(loop: loop, index: index)
    var options = cmhd_daemon_options(
      context: Unmanaged.passUnretained(context).toOpaque(),
      handler: handleRequest,
      request_line: handleRequestLine,
      connection_changed: handleConnectionChange,
      request_completed: handleCompletion,
      connection_limit: UInt32(clamping: configuration.maxConnections + 1),
      connection_memory_bytes: Self.connectionMemoryBytes,
      certificate: nil, private_key: nil)
    let started = LoadedIdentity.withTexts(of: identity) { certificate, privateKey in
      options.certificate = certificate
      options.private_key = privateKey
      return cmhd_start(&options)
    }
    guard let daemon = started else {
      throw .systemRefused(what: "starting a libmicrohttpd daemon", reason: String(cString: strerror(errno)))
    }
    self.daemon = daemon
    self.context = context
    epollDescriptor = cmhd_epoll_descriptor(daemon)
  }

  /// Hands a connected socket over; the engine closes it, whatever happens.
  /// - Parameter address: What the connection is counted by.
  /// - Returns: False if no connection came of it.
  func add(socket: Int32, peer: PeerAddress, address: AddressKey) -> Bool {
    let before = context.opened
    context.address = address
    let added = peer.withSocketAddress { MHD_add_connection(daemon, socket, $0, $1) }
    return added == .YES || context.opened != before
  }

  /// Does what there is to do, without waiting.
  /// - Returns: Milliseconds until it wants to run again even if nothing becomes readable; 0 means at once, nil never.
  func run() -> UInt64? {
    _ = MHD_run(daemon)
    return timeout
  }

  /// See `run()`; to be asked again after a connection was added or resumed.
  var timeout: UInt64? {
    var milliseconds: UInt64 = 0
    return MHD_get_timeout(daemon, &milliseconds) == .YES ? milliseconds : nil
  }

  /// Closes every connection. No connection may be suspended: libmicrohttpd would abort the process.
  func stop() { MHD_stop_daemon(daemon) }
}

/// One connection as libmicrohttpd sees it.
struct EngineConnection {
  let pointer: OpaquePointer
  let socket: Int32
  /// The session of TLS; nil for plain HTTP.
  private let session: UnsafeMutableRawPointer?

  fileprivate init(pointer: OpaquePointer) {
    self.pointer = pointer
    socket = cmhd_socket(pointer)
    session = cmhd_session(pointer)
  }

  var isSecure: Bool { session != nil }
  var progress: cmhd_progress { cmhd_progress(socket) }

  /// Whether the client sent something that has not been received, encrypted or not.
  var hasUnread: Bool { cmhd_has_unread(socket) }

  var peerAddress: String {
    guard let address = cmhd_client_address(pointer) else { return "" }
    return PeerAddress.numeric(address)
  }

  /// Reads what the client sent, as `cmhd_receive` does.
  func receive(into space: UnsafeMutableBufferPointer<UInt8>) -> Int {
    cmhd_receive(socket, session, space.baseAddress, space.count)
  }

  /// Tells the client to send the body. If its system cannot take that at once, it will send the body by itself in time
  /// (RFC 9110 §10.1.1).
  func sendContinue() {
    let text: StaticString = "HTTP/1.1 100 Continue\r\n\r\n"
    text.withUTF8Buffer { cmhd_send(socket, session, $0.baseAddress, $0.count) }
  }

  /// Parks the connection: the engine looks at it no more until `resume()`. Only inside a handler call.
  func suspend() { MHD_suspend_connection(pointer) }

  /// The next `run()` calls the handler again. Exactly once for each `suspend()`: a stray one swallows the next.
  func resume() { MHD_resume_connection(pointer) }

  /// Lets the engine find that the client has gone.
  func shutDown() { _ = shutdown(socket, Int32(SHUT_RDWR)) }

  /// The same, and nothing that the client has not taken is kept for it.
  func reset() {
    var option = linger(l_onoff: 1, l_linger: 0)
    setsockopt(socket, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    shutDown()
  }

  /// Sends what the socket takes now, as `cmhd_transmit` does.
  func transmit(_ bytes: UnsafeRawBufferPointer) -> Int {
    cmhd_transmit(socket, session, bytes.baseAddress, bytes.count)
  }
}

/// A connection was opened or closed: its `Connection` lives as long, owned by the socket context.
private func handleConnectionChange(
  context: UnsafeMutableRawPointer?, pointer: OpaquePointer?,
  socketContext: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, change: MHD_ConnectionNotificationCode
) {
  guard let context, let pointer, let socketContext else { return }
  let engine = Unmanaged<Engine.Context>.fromOpaque(context).takeUnretainedValue()
  if change == .CONNECTION_NOTIFY_STARTED {
    engine.opened += 1
    let connection = Connection(
      engine: EngineConnection(pointer: pointer), loop: engine.loop, engineIndex: engine.index,
      address: engine.address)
    socketContext.pointee = Unmanaged.passRetained(connection).toOpaque()
    connection.open()
  } else if let connection = socketContext.pointee {
    socketContext.pointee = nil
    Unmanaged<Connection>.fromOpaque(connection).takeRetainedValue().close()
  }
}

/// The request line was read. The result becomes the request's context: the connection, borrowed.
private func handleRequestLine(
  context: UnsafeMutableRawPointer?, target: UnsafePointer<CChar>?, pointer: OpaquePointer?
) -> UnsafeMutableRawPointer? {
  guard let pointer, let socketContext = cmhd_socket_context(pointer) else { return nil }
  Unmanaged<Connection>.fromOpaque(socketContext)._withUnsafeGuaranteedRef { $0.begin() }
  return socketContext
}

/// Called twice when the head was read, and after each resume.
private func handleRequest(
  context: UnsafeMutableRawPointer?, pointer: OpaquePointer?, url: UnsafePointer<CChar>?,
  method: UnsafePointer<CChar>?, version: UnsafePointer<CChar>?, upload: UnsafePointer<CChar>?,
  uploadLength: UnsafeMutablePointer<Int>?, requestContext: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
  guard let connection = requestContext?.pointee else { return .NO }
  return Unmanaged<Connection>.fromOpaque(connection)._withUnsafeGuaranteedRef { $0.advance() ? .YES : .NO }
}

/// The response was sent, or the connection is lost; which of the two is not told reliably.
private func handleCompletion(
  context: UnsafeMutableRawPointer?, pointer: OpaquePointer?,
  requestContext: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, code: MHD_RequestTerminationCode
) {
  guard let connection = requestContext?.pointee else { return }
  Unmanaged<Connection>.fromOpaque(connection)._withUnsafeGuaranteedRef { $0.complete() }
}
