// SPDX-License-Identifier: MIT
import CMicroHTTPDShim
import Glibc

/// One libmicrohttpd daemon, which its loop's thread runs. Only this file touches libmicrohttpd's pointers and
/// hands Swift objects through C: a callback gets its object back from the pointer that it was registered with.
///
/// A daemon has no socket and no thread. Connections are given to it, and it works only inside `run()`.
final class Engine {
  private let daemon: OpaquePointer
  private let context: Context
  /// Readable when `run()` has something to do.
  let epollDescriptor: Int32

  /// The object by which the callbacks reach the loop.
  fileprivate final class Context {
    unowned let loop: EventLoop
    let index: Int
    var opened = 0
    /// The key of the connection that is being added.
    var address = AddressKey.none

    init(loop: EventLoop, index: Int) {
      self.loop = loop
      self.index = index
    }
  }

  /// - Parameter loop: The loop that will run it, and outlives it.
  init(loop: EventLoop, index: Int) throws(HTTPListeningError) {
    let context = Context(loop: loop, index: index)
    let shared = loop.shared
    var options = cmhd_daemon_options(
      context: Unmanaged.passUnretained(context).toOpaque(),
      handler: handleRequest,
      request_line: handleRequestLine,
      connection_changed: handleConnectionChange,
      request_completed: handleCompletion,
      connection_limit: UInt32(clamping: shared.configuration.maxConnections + 1),
      connection_memory_bytes: shared.limits.connectionMemory,
      secure: shared.isSecure)
    guard let daemon = cmhd_start(&options) else {
      throw .systemRefused(what: "starting a libmicrohttpd daemon", reason: String(cString: strerror(errno)))
    }
    self.daemon = daemon
    self.context = context
    epollDescriptor = cmhd_epoll_descriptor(daemon)
  }

  /// Hands over a connected socket, which the engine closes in every case.
  /// - Returns: False if no connection was made.
  func add(socket: Int32, peer: PeerAddress, address: AddressKey) -> Bool {
    let before = context.opened
    context.address = address
    let added = peer.withSocketAddress { MHD_add_connection(daemon, socket, $0, $1) }
    return added == .YES || context.opened != before
  }

  /// Does all the work that there is, without waiting.
  /// - Returns: The milliseconds after which it wants to run again even if nothing becomes readable. 0 means at
  ///   once, nil means never.
  func run() -> UInt64? {
    _ = MHD_run(daemon)
    var milliseconds: UInt64 = 0
    return MHD_get_timeout(daemon, &milliseconds) == .YES ? milliseconds : nil
  }

  /// Closes every connection. No connection may be suspended: libmicrohttpd would abort the process.
  func stop() { MHD_stop_daemon(daemon) }

  /// Runs a loop on a thread of its own.
  /// - Returns: The thread, and 0 or the number of the error.
  static func startThread(running loop: EventLoop, stackBytes: Int) -> (pthread_t, status: Int32) {
    var thread = pthread_t()
    let argument = Unmanaged.passRetained(loop)
    let run: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { loop in
      if let loop { Unmanaged<EventLoop>.fromOpaque(loop).takeRetainedValue().run() }
      return nil
    }
    let status = cmhd_start_thread(&thread, stackBytes, run, argument.toOpaque())
    if status != 0 { argument.release() }
    return (thread, status)
  }
}

extension Engine {
  /// Tells a loop about the handshakes of its thread. To be called on that thread.
  static func tellHandshakes(to loop: EventLoop) {
    cmhd_tell_handshakes(handleHandshake, Unmanaged.passUnretained(loop).toOpaque())
  }
}

/// One connection, from libmicrohttpd's side.
struct EngineConnection {
  private let pointer: OpaquePointer
  let socket: ClientSocket

  fileprivate init(pointer: OpaquePointer) {
    self.pointer = pointer
    socket = ClientSocket(descriptor: cmhd_socket(pointer))
  }

  /// Tells the loop when the connection's handshake is finished.
  /// - Returns: The number by which the loop is told; nil without TLS.
  func watchHandshake() -> UInt? { cmhd_watch_handshake(pointer).map { UInt(bitPattern: $0) } }

  var peerAddress: String { cmhd_client_address(pointer).map { PeerAddress.numeric($0) } ?? "" }

  /// The first value of a field.
  func header(_ name: StaticString) -> String? {
    var value: UnsafePointer<CChar>?
    var length = 0
    return find(name, &value, &length) ? String(decoding: trimmed(value, length), as: UTF8.self) : nil
  }

  /// Looks for the first value of a field.
  /// - Returns: Whether it is there.
  private func find(
    _ name: StaticString, _ value: UnsafeMutablePointer<UnsafePointer<CChar>?>?, _ length: UnsafeMutablePointer<Int>?
  ) -> Bool {
    name.withUTF8Buffer {
      MHD_lookup_connection_value_n(pointer, .HEADER_KIND, $0.baseAddress, $0.count, value, length) == .YES
    }
  }

  /// Every value of a field, in order.
  func headers(_ name: StaticString) -> [String] { gather(name, keepingValues: true).values }

  /// Every field, in order.
  var fields: [(name: String, value: String)] {
    var fields = FieldList()
    _ = withUnsafeMutablePointer(to: &fields) { MHD_get_connection_values_n(pointer, .HEADER_KIND, listField, $0) }
    return fields.all
  }

  /// The number of fields with a name.
  func headerCount(_ name: StaticString) -> Int { gather(name, keepingValues: false).count }

  private func gather(_ name: StaticString, keepingValues: Bool) -> Gathering {
    var gathering = Gathering(name: name, keepsValues: keepingValues)
    // Most requests have no such field, which the library finds out sooner than it shows all fields.
    guard find(name, nil, nil) else { return gathering }
    _ = withUnsafeMutablePointer(to: &gathering) { MHD_get_connection_values_n(pointer, .HEADER_KIND, gatherField, $0) }
    return gathering
  }

  /// Shows every field to a gate, in the order in which the fields came.
  func show(to gate: inout RequestGate) { _ = MHD_get_connection_values_n(pointer, .HEADER_KIND, showField, &gate) }

  /// Parks the connection: until `resume()` the engine does not look at it. Only inside a handler call or a
  /// reader.
  func suspend() { MHD_suspend_connection(pointer) }

  /// Makes the next `run()` call the handler or the reader again. Exactly once for each `suspend()`.
  func resume() { MHD_resume_connection(pointer) }

  /// Queues a response. Bytes are copied. A file is read while it is sent, and then closed. Only inside a
  /// handler call, once for each request.
  /// - Returns: False if the response could not be queued, for example because a field cannot be sent.
  func queue(_ response: HTTPResponse, with more: [HTTPField], closing: Bool) -> Bool {
    let made =
      switch response.body {
      case .bytes(let bytes): Self.made(of: bytes)
      case .file(let file): Self.made(of: file)
      case .unsent(let length): cmhd_make_stream(length.map { Int64($0) } ?? -1, readNothing, nil, nil, true)
      }
    return queue(made, as: response, with: more, closing: closing)
  }

  private static func made(of bytes: [UInt8]) -> OpaquePointer? {
    bytes.withUnsafeBytes {
      MHD_create_response_from_buffer($0.count, UnsafeMutableRawPointer(mutating: $0.baseAddress), .RESPMEM_MUST_COPY)
    }
  }

  private static func made(of file: HTTPFile) -> OpaquePointer? {
    guard let descriptor = file.takeDescriptor() else { return nil }
    guard
      let made = MHD_create_response_from_fd_at_offset64(UInt64(file.count), descriptor, UInt64(file.offset))
    else {
      close(descriptor)
      return nil
    }
    return made
  }

  /// Queues the head, and asks `body` for the rest. As `queue(_:with:closing:)`.
  /// - Parameter isHead: Whether it answers HEAD. The connection ends with it then.
  func queue(
    _ head: HTTPResponse, streaming body: StreamedBody, with more: [HTTPField], isHead: Bool, closing: Bool
  ) -> Bool {
    let owner = Unmanaged.passRetained(body)
    guard
      let made = cmhd_make_stream(
        body.stream.length.map { Int64($0) } ?? -1, readBody, releaseBody, owner.toOpaque(), isHead)
    else {
      owner.release()
      return false
    }
    return queue(made, as: head, with: more, closing: closing)
  }

  private func queue(_ made: OpaquePointer?, as response: HTTPResponse, with more: [HTTPField], closing: Bool) -> Bool {
    guard let made else { return false }
    defer { MHD_destroy_response(made) }
    guard add(response.fields, to: made), add(more, to: made) else { return false }
    if let type = response.contentType, !add("Content-Type", type, to: made) { return false }
    if let tag = response.entityTag, !add([HTTPField("ETag", "\"\(tag)\"")], to: made) { return false }
    if closing, !add("Connection", "close", to: made) { return false }
    return MHD_queue_response(pointer, UInt32(clamping: response.status), made) == .YES
  }

  private func add(_ fields: [HTTPField], to made: OpaquePointer) -> Bool {
    fields.allSatisfy { field in
      let length = field.value.utf8.count
      return length == 0 || field.value.withCString { cmhd_add_field(made, cString(field.name), $0, length) }
    }
  }

  private func add(_ name: StaticString, _ value: StaticString, to made: OpaquePointer) -> Bool {
    cmhd_add_field(made, cString(name), cString(value), value.utf8CodeUnitCount)
  }
}

/// Handles the opening or closing of a connection. Its `Connection` lives as long as it, owned by the socket
/// context.
private func handleConnectionChange(
  context: UnsafeMutableRawPointer?, pointer: OpaquePointer?,
  socketContext: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, change: MHD_ConnectionNotificationCode
) {
  guard let context, let pointer, let socketContext else { return }
  let engine = Unmanaged<Engine.Context>.fromOpaque(context).takeUnretainedValue()
  if change == .CONNECTION_NOTIFY_STARTED {
    engine.opened += 1
    let connection = Connection(
      engine: EngineConnection(pointer: pointer), loop: engine.loop, engineIndex: engine.index, address: engine.address)
    socketContext.pointee = Unmanaged.passRetained(connection).toOpaque()
    connection.open()
  } else if let connection = socketContext.pointee {
    socketContext.pointee = nil
    Unmanaged<Connection>.fromOpaque(connection).takeRetainedValue().close()
  }
}

/// Handles a request line. The result, the borrowed connection, becomes the context of the request.
private func handleRequestLine(
  context: UnsafeMutableRawPointer?, target: UnsafePointer<CChar>?, pointer: OpaquePointer?
) -> UnsafeMutableRawPointer? {
  guard let pointer, let connection = cmhd_socket_context(pointer) else { return nil }
  Unmanaged<Connection>.fromOpaque(connection).takeUnretainedValue().begin(
    target: target.flatMap(String.init(validatingCString:)))
  return connection
}

/// Handles a call of the library for a request: when the head was read, for each piece of the body, once more
/// after that, and after each resume.
private func handleRequest(
  context: UnsafeMutableRawPointer?, pointer: OpaquePointer?, url: UnsafePointer<CChar>?,
  method: UnsafePointer<CChar>?, version: UnsafePointer<CChar>?, upload: UnsafePointer<CChar>?,
  uploadLength: UnsafeMutablePointer<Int>?, requestContext: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
  guard let uploadLength, let method, let version, let context = requestContext?.pointee else { return .NO }
  let connection = Unmanaged<Connection>.fromOpaque(context).takeUnretainedValue()
  let goesOn: Bool
  if connection.awaitsHead {
    let isVersion0 = strcmp(version, "HTTP/1.0") == 0
    goesOn = connection.screen(method: String(cString: method), isVersion0: isVersion0)
  } else if uploadLength.pointee > 0 {
    goesOn = connection.collect([UInt8](bytes(upload, uploadLength.pointee)))
    uploadLength.pointee = 0
  } else {
    goesOn = connection.advance()
  }
  return goesOn ? .YES : .NO
}

/// Handles the end of a request: the response was sent, or the connection is lost. The library does not tell
/// reliably which.
private func handleCompletion(
  context: UnsafeMutableRawPointer?, pointer: OpaquePointer?,
  requestContext: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, code: MHD_RequestTerminationCode
) {
  guard let connection = requestContext?.pointee else { return }
  Unmanaged<Connection>.fromOpaque(connection).takeUnretainedValue().complete()
}

private struct Gathering {
  let name: StaticString
  let keepsValues: Bool
  var count = 0
  var values: [String] = []
}

private func gatherField(
  gathering: UnsafeMutableRawPointer?, kind: MHD_ValueKind, name: UnsafePointer<CChar>?, nameLength: Int,
  value: UnsafePointer<CChar>?, valueLength: Int
) -> MHD_Result {
  guard let gathering = gathering?.assumingMemoryBound(to: Gathering.self) else { return .NO }
  guard nameLength == gathering.pointee.name.utf8CodeUnitCount,
    isName(bytes(name, nameLength).span, gathering.pointee.name)
  else { return .YES }
  gathering.pointee.count += 1
  if gathering.pointee.keepsValues {
    gathering.pointee.values.append(String(decoding: trimmed(value, valueLength), as: UTF8.self))
  }
  return .YES
}

private struct FieldList {
  var all: [(name: String, value: String)] = []
}

private func listField(
  list: UnsafeMutableRawPointer?, kind: MHD_ValueKind, name: UnsafePointer<CChar>?, nameLength: Int,
  value: UnsafePointer<CChar>?, valueLength: Int
) -> MHD_Result {
  guard let list = list?.assumingMemoryBound(to: FieldList.self) else { return .NO }
  list.pointee.all.append(
    (
      String(decoding: bytes(name, nameLength), as: UTF8.self),
      String(decoding: trimmed(value, valueLength), as: UTF8.self)
    ))
  return .YES
}

private func showField(
  gate: UnsafeMutableRawPointer?, kind: MHD_ValueKind, name: UnsafePointer<CChar>?, nameLength: Int,
  value: UnsafePointer<CChar>?, valueLength: Int
) -> MHD_Result {
  guard let gate = gate?.assumingMemoryBound(to: RequestGate.self) else { return .NO }
  gate.pointee.look(at: bytes(name, nameLength).span, bytes(value, valueLength).span)
  return .YES
}

/// Gives the next bytes of a body. The socket has taken all earlier ones.
private func readBody(
  body: UnsafeMutableRawPointer?, position: UInt64, buffer: UnsafeMutablePointer<CChar>?, capacity: Int
) -> Int {
  guard let body, let buffer else { return Int(CMHD_END_WITH_ERROR) }
  switch Unmanaged<StreamedBody>.fromOpaque(body).takeUnretainedValue().next(atMost: capacity) {
  case .bytes(let piece):
    piece.withUnsafeBytes { UnsafeMutableRawBufferPointer(start: buffer, count: capacity).copyMemory(from: $0) }
    return piece.count
  case .nothingYet: return 0
  case .end: return Int(CMHD_END_OF_STREAM)
  case .brokenOff: return Int(CMHD_END_WITH_ERROR)
  }
}

/// Gives no bytes of a body that is not sent.
private func readNothing(
  body: UnsafeMutableRawPointer?, position: UInt64, buffer: UnsafeMutablePointer<CChar>?, capacity: Int
) -> Int { Int(CMHD_END_WITH_ERROR) }

private func releaseBody(body: UnsafeMutableRawPointer?) {
  if let body { Unmanaged<StreamedBody>.fromOpaque(body).release() }
}

private func bytes(_ start: UnsafePointer<CChar>?, _ count: Int) -> UnsafeBufferPointer<UInt8> {
  guard let start else { return UnsafeBufferPointer(start: nil, count: 0) }
  return UnsafeBufferPointer(start: UnsafeRawPointer(start).assumingMemoryBound(to: UInt8.self), count: count)
}

/// A field's value without the white space at its end, which 0.9.75 leaves there (RFC 9112 §5).
private func trimmed(_ start: UnsafePointer<CChar>?, _ count: Int) -> UnsafeBufferPointer<UInt8> {
  bytes(start, countWithoutSpaceAtEnd(bytes(start, count).span))
}

private func cString(_ text: StaticString) -> UnsafePointer<CChar> {
  UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
}

/// A loop's own copy of an identity. No two threads share one.
final class EngineIdentity {
  private let pointer: OpaquePointer

  /// - Returns: `nil` only if memory is short, since a loaded identity can be used.
  init?(_ identity: LoadedIdentity) {
    guard let made = cmhd_make_identity(identity.certificates, identity.privateKey) else { return nil }
    pointer = made
  }

  deinit { cmhd_free_identity(pointer) }

  /// Makes handshakes of this thread's engines that begin from now on give this identity. It must be kept until
  /// all these engines are stopped.
  func use() { cmhd_use_identity(pointer) }
}

/// Handles the end of a handshake.
private func handleHandshake(context: UnsafeMutableRawPointer?, handshake: UnsafeRawPointer?) {
  guard let context, let handshake else { return }
  Unmanaged<EventLoop>.fromOpaque(context).takeUnretainedValue().handshakeFinished(UInt(bitPattern: handshake))
}
