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

  /// What the callbacks reach the loop by.
  fileprivate final class Context {
    unowned let loop: EventLoop
    let index: Int
    var opened = 0

    init(loop: EventLoop, index: Int) {
      self.loop = loop
      self.index = index
    }
  }

  /// - Parameters:
  ///   - loop: The loop that will run it, and outlives it.
  ///   - index: Which of the loop's engines this is.
  ///   - configuration: What a connection may take.
  /// - Throws: `systemRefused`.
  init(loop: EventLoop, index: Int, configuration: HTTPListenerConfiguration) throws(HTTPListeningError) {
    let context = Context(loop: loop, index: index)
    var options = cmhd_daemon_options(
      context: Unmanaged.passUnretained(context).toOpaque(),
      handler: handleRequest,
      request_line: handleRequestLine,
      connection_changed: handleConnectionChange,
      request_completed: handleCompletion,
      connection_limit: UInt32(clamping: configuration.maxConnections + 1),
      connection_memory_bytes: configuration.connectionMemoryBytes,
      idle_timeout_seconds: configuration.idleTimeout)
    guard let daemon = cmhd_start(&options) else {
      throw .systemRefused(what: "starting a libmicrohttpd daemon", reason: String(cString: strerror(errno)))
    }
    self.daemon = daemon
    self.context = context
    epollDescriptor = cmhd_epoll_descriptor(daemon)
  }

  /// Hands a connected socket over; the engine closes it, whatever happens.
  /// - Returns: False if no connection came of it.
  func add(socket: Int32, peer: PeerAddress) -> Bool {
    let before = context.opened
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
  /// libmicrohttpd's, valid from the first handler call to the end of the request.
  fileprivate var methodName: UnsafePointer<CChar>?

  var socket: Int32 { cmhd_socket(pointer) }
  var method: String { methodName.map { String(cString: $0) } ?? "" }

  var peerAddress: String {
    guard let address = cmhd_client_address(pointer) else { return "" }
    return PeerAddress.numeric(address)
  }

  func header(_ name: StaticString) -> String? {
    withHeader(name) { value in value.map { String(decoding: $0, as: UTF8.self) } }
  }

  func withHeader<Result, Failure: Error>(
    _ name: StaticString, _ body: (UnsafeRawBufferPointer?) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var value: UnsafePointer<CChar>?
    var length = 0
    let found = name.withUTF8Buffer {
      MHD_lookup_connection_value_n(pointer, .HEADER_KIND, $0.baseAddress, $0.count, &value, &length)
    }
    guard found == .YES else { return try body(nil) }
    return try body(UnsafeRawBufferPointer(start: value, count: value == nil ? 0 : length))
  }

  func headerCount(_ name: StaticString) -> Int {
    var tally = FieldTally(name: name)
    withUnsafeMutablePointer(to: &tally) {
      _ = MHD_get_connection_values_n(pointer, .HEADER_KIND, countField, $0)
    }
    return tally.count
  }

  func list(_ name: StaticString, separator: String) -> String? {
    guard let first = header(name) else { return nil }
    if headerCount(name) == 1 { return first }
    var gathered = FieldGathering(name: name)
    withUnsafeMutablePointer(to: &gathered) {
      _ = MHD_get_connection_values_n(pointer, .HEADER_KIND, gatherField, $0)
    }
    return gathered.values.joined(separator: separator)
  }

  /// Shows every header field to a screening, in the order they came.
  func screenFields(_ screening: inout HeadScreening) {
    withUnsafeMutablePointer(to: &screening) {
      _ = MHD_get_connection_values_n(pointer, .HEADER_KIND, screenField, $0)
    }
  }

  /// Parks the connection: the engine looks at it no more until `resume()`. Only inside a handler call.
  func suspend() { MHD_suspend_connection(pointer) }

  /// The next `run()` calls the handler again. Exactly once for each `suspend()`: a stray one swallows the next.
  func resume() { MHD_resume_connection(pointer) }

  /// Lets the engine find that the client has gone.
  func shutDown() { _ = shutdown(socket, Int32(SHUT_RDWR)) }

  /// Queues the response, copied. Only inside a handler call, once for each request.
  /// - Returns: False if it was not possible; the handler call must then close the connection.
  func queue(_ response: HTTPResponse, with common: [HTTPField], closing: Bool) -> Bool {
    guard let made = make(response, with: common) else { return false }
    defer { MHD_destroy_response(made) }
    if closing { _ = MHD_add_response_header(made, "Connection", "close") }
    return MHD_queue_response(pointer, UInt32(clamping: response.status), made) == .YES
  }

  private func make(_ response: HTTPResponse, with common: [HTTPField]) -> OpaquePointer? {
    let made = response.body.withUnsafeBytes {
      MHD_create_response_from_buffer($0.count, UnsafeMutableRawPointer(mutating: $0.baseAddress), .RESPMEM_MUST_COPY)
    }
    guard let made else { return nil }
    guard add(common, to: made), add(response.fields, to: made) else {
      MHD_destroy_response(made)
      return nil
    }
    return made
  }

  func add(_ fields: [HTTPField], to made: OpaquePointer) -> Bool {
    for field in fields {
      let added = field.value.withCString { value in
        field.name.withUTF8Buffer { name in
          name.withMemoryRebound(to: CChar.self) { MHD_add_response_header(made, $0.baseAddress, value) }
        }
      }
      guard added == .YES else { return false }
    }
    return true
  }
}

private struct FieldTally {
  let name: StaticString
  var count = 0
}

private func countField(
  tally: UnsafeMutableRawPointer?, kind: MHD_ValueKind, name: UnsafePointer<CChar>?, nameLength: Int,
  value: UnsafePointer<CChar>?, valueLength: Int
) -> MHD_Result {
  guard let tally = tally?.assumingMemoryBound(to: FieldTally.self) else { return .NO }
  if tally.pointee.name.withUTF8Buffer({ equalsIgnoringCase($0, bytes(name, nameLength)) }) { tally.pointee.count += 1 }
  return .YES
}

private struct FieldGathering {
  let name: StaticString
  var values: [String] = []
}

private func gatherField(
  gathering: UnsafeMutableRawPointer?, kind: MHD_ValueKind, name: UnsafePointer<CChar>?, nameLength: Int,
  value: UnsafePointer<CChar>?, valueLength: Int
) -> MHD_Result {
  guard let gathering = gathering?.assumingMemoryBound(to: FieldGathering.self) else { return .NO }
  if gathering.pointee.name.withUTF8Buffer({ equalsIgnoringCase($0, bytes(name, nameLength)) }) {
    gathering.pointee.values.append(String(decoding: bytes(value, valueLength), as: UTF8.self))
  }
  return .YES
}

private func screenField(
  screening: UnsafeMutableRawPointer?, kind: MHD_ValueKind, name: UnsafePointer<CChar>?, nameLength: Int,
  value: UnsafePointer<CChar>?, valueLength: Int
) -> MHD_Result {
  guard let screening = screening?.assumingMemoryBound(to: HeadScreening.self) else { return .NO }
  screening.pointee.screen(bytes(name, nameLength), bytes(value, valueLength))
  return .YES
}

private func bytes(_ start: UnsafePointer<CChar>?, _ count: Int) -> UnsafeBufferPointer<UInt8> {
  guard let start else { return UnsafeBufferPointer(start: nil, count: 0) }
  return UnsafeBufferPointer(start: UnsafeRawPointer(start).assumingMemoryBound(to: UInt8.self), count: count)
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
      engine: EngineConnection(pointer: pointer), loop: engine.loop, engineIndex: engine.index)
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
  Unmanaged<Connection>.fromOpaque(socketContext)._withUnsafeGuaranteedRef {
    $0.begin(target: bytes(target, target.map { strlen($0) } ?? 0))
  }
  // libmicrohttpd 0.9.75 splits the query into its pool next and forgets the request if they do not fit: about 100
  // items hang the client until the timeout. It has found the '?' already, so an empty query leaves it nothing to split.
  if let target, let query = strchr(target, 0x3F) { query[1] = 0 }
  return socketContext
}

/// Called first when the head was read, then for each piece of the body, then once more, and after each resume.
private func handleRequest(
  context: UnsafeMutableRawPointer?, pointer: OpaquePointer?, url: UnsafePointer<CChar>?,
  method: UnsafePointer<CChar>?, version: UnsafePointer<CChar>?, upload: UnsafePointer<CChar>?,
  uploadLength: UnsafeMutablePointer<Int>?, requestContext: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
  guard let uploadLength, let connection = requestContext?.pointee else { return .NO }
  let piece = bytes(upload, uploadLength.pointee)
  uploadLength.pointee = 0
  return Unmanaged<Connection>.fromOpaque(connection)._withUnsafeGuaranteedRef {
    $0.engine.methodName = method
    return $0.advance(piece) ? .YES : .NO
  }
}

/// The response was sent, or the connection is lost; which of the two is not told reliably.
private func handleCompletion(
  context: UnsafeMutableRawPointer?, pointer: OpaquePointer?,
  requestContext: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, code: MHD_RequestTerminationCode
) {
  guard let connection = requestContext?.pointee else { return }
  Unmanaged<Connection>.fromOpaque(connection)._withUnsafeGuaranteedRef { $0.complete() }
}
