// SPDX-License-Identifier: MIT
import CCurl
import Dispatch
import Glibc
import Locking
package import Storing

/// The client of other servers, by libcurl's multi interface. One thread serves all requests under way, however long
/// they take. This is the one place that has libcurl's pointers (https://curl.se/libcurl/c/libcurl-multi.html).
// @unchecked Sendable: only the thread uses the multi handle, but for curl_multi_wakeup(3), which any thread
// may call.
package final class CurlClient: NodeClient, @unchecked Sendable {
  private enum Order {
    case begin(Transfer)
    case goOn(UInt64)
    case end(UInt64)
    case endAll(of: [UInt64])
    case stop
  }

  private struct State {
    var lastID: UInt64 = 0
    var orders: [Order] = []
    var isRunning = false
    var hasStopped = false
  }

  /// curl_global_init(3), once in a process.
  private static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

  private let multi: OpaquePointer?
  private let state = Locked(State())
  private let thread = DispatchQueue(label: "euripus.nodes")

  package init() {
    _ = Self.isReady
    multi = curl_multi_init().map { OpaquePointer($0) }
  }

  deinit { if let multi { curl_multi_cleanup(UnsafeMutableRawPointer(multi)) } }

  package func send(
    _ request: NodeRequest, takesPiece: @escaping @Sendable () -> Bool, tell: @escaping @Sendable (NodeEvent) -> Void
  ) -> UInt64 {
    let (id, isTaken) = state.withLock { state in
      state.lastID += 1
      return (state.lastID, !state.hasStopped)
    }
    if isTaken { order(.begin(Transfer(id, request, takesPiece, tell))) } else { tell(.failed(.unreached)) }
    return id
  }

  package func goOn(_ id: UInt64) { order(.goOn(id)) }

  package func giveUp(_ id: UInt64) { order(.end(id)) }

  package func giveUp(allTo boots: [UInt64]) {
    if !boots.isEmpty, state.withLock({ $0.isRunning }) { order(.endAll(of: boots)) }
  }

  package func stop() {
    state.withLock { $0.hasStopped = true }
    order(.stop)
  }

  private func order(_ order: Order) {
    let isFirst = state.withLock { state in
      state.orders.append(order)
      defer { state.isRunning = true }
      return !state.isRunning
    }
    if isFirst { thread.async { self.run() } }
    if let multi { curl_multi_wakeup(UnsafeMutableRawPointer(multi)) }
  }

  // MARK: The thread

  /// Serves all requests, and returns when there are none.
  private func run() {
    guard let multi = multi.map({ UnsafeMutableRawPointer($0) }) else { return }
    var transfers: [UInt64: Transfer] = [:]
    while true {
      for order in takeOrders() {
        switch order {
        case .begin(let transfer):
          transfers[transfer.id] = transfer
          if !transfer.begin(in: multi) { finish(transfer, .failed(.unreached), &transfers) }
        case .goOn(let id): transfers[id]?.goOn()
        case .end(let id): if let transfer = transfers[id] { finish(transfer, .failed(.broken), &transfers) }
        case .endAll(let boots):
          for transfer in transfers.values where boots.contains(transfer.boot) {
            finish(transfer, .failed(.broken), &transfers)
          }
        case .stop: for transfer in transfers.values { finish(transfer, .failed(.broken), &transfers) }
        }
      }
      if transfers.isEmpty, rests() { return }
      var running: Int32 = 0
      curl_multi_perform(multi, &running)
      var left: Int32 = 0
      while let message = curl_multi_info_read(multi, &left) {
        var outcome = CURLE_OK
        guard let handle = euripus_curl_finished(message, &outcome), let owner = euripus_curl_owner(handle) else {
          continue
        }
        let transfer = Unmanaged<Transfer>.fromOpaque(owner).takeUnretainedValue()
        finish(transfer, transfer.last(outcome), &transfers)
      }
      if !transfers.isEmpty { curl_multi_poll(multi, nil, 0, 1_000, nil) }
    }
  }

  private func takeOrders() -> [Order] {
    state.withLock { state in
      defer { state.orders = [] }
      return state.orders
    }
  }

  /// Whether nothing is left to do. The next order then begins a new run.
  private func rests() -> Bool {
    state.withLock { state in
      state.isRunning = !state.orders.isEmpty
      return !state.isRunning
    }
  }

  private func finish(_ transfer: Transfer, _ event: NodeEvent, _ transfers: inout [UInt64: Transfer]) {
    transfer.leave()
    transfers[transfer.id] = nil
    transfer.tell(event)
  }
}

/// One request under way. Only the client's thread uses it.
// @unchecked Sendable: it is handed to that thread, and no other thread touches it afterwards.
private final class Transfer: @unchecked Sendable {
  let id: UInt64
  var boot: UInt64 { request.boot }
  let tell: @Sendable (NodeEvent) -> Void
  private let request: NodeRequest
  private let takesPiece: @Sendable () -> Bool
  private var handle: UnsafeMutableRawPointer?
  private var multi: UnsafeMutableRawPointer?
  private var list: UnsafeMutablePointer<curl_slist>?
  private var fields: [(name: String, value: String)] = []
  private var hasTold = false

  init(
    _ id: UInt64, _ request: NodeRequest, _ takesPiece: @escaping @Sendable () -> Bool,
    _ tell: @escaping @Sendable (NodeEvent) -> Void
  ) {
    (self.id, self.request, self.takesPiece, self.tell) = (id, request, takesPiece, tell)
  }

  /// - Returns: whether libcurl has taken the request.
  func begin(in multi: UnsafeMutableRawPointer) -> Bool {
    guard let handle = curl_easy_init() else { return false }
    (self.handle, self.multi) = (handle, multi)
    euripus_curl_number(handle, CURLOPT_NOSIGNAL, 1)
    euripus_curl_text(handle, CURLOPT_PROTOCOLS_STR, "http,https")
    euripus_curl_text(handle, CURLOPT_PROXY, "")
    euripus_curl_number(handle, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
    euripus_curl_number(handle, CURLOPT_CONNECTTIMEOUT_MS, 1_000)
    // libcurl by itself repeats a request that a kept connection has lost.
    if !request.mayBeRepeated { euripus_curl_number(handle, CURLOPT_FRESH_CONNECT, 1) }
    // A server behind a link that is down says nothing, so keep-alive finds that out.
    euripus_curl_number(handle, CURLOPT_TCP_KEEPALIVE, 1)
    euripus_curl_number(handle, CURLOPT_TCP_KEEPIDLE, 5)
    euripus_curl_number(handle, CURLOPT_TCP_KEEPINTVL, 5)
    // The target is sent as it came. The other server judges steps that look like a way up.
    euripus_curl_number(handle, CURLOPT_PATH_AS_IS, 1)
    euripus_curl_text(handle, CURLOPT_URL, request.url)
    euripus_curl_text(handle, CURLOPT_CUSTOMREQUEST, request.method)
    if request.method == "HEAD" { euripus_curl_number(handle, CURLOPT_NOBODY, 1) }
    if !request.body.isEmpty {
      euripus_curl_number(handle, CURLOPT_POSTFIELDSIZE, request.body.count)
      // libcurl keeps a copy.
      request.body.withUnsafeBytes { bytes in
        _ = euripus_curl_pointer(handle, CURLOPT_COPYPOSTFIELDS, UnsafeMutableRawPointer(mutating: bytes.baseAddress))
      }
    }
    for field in request.fields { list = curl_slist_append(list, field) }
    euripus_curl_list(handle, CURLOPT_HTTPHEADER, list)
    let owner = Unmanaged.passUnretained(self).toOpaque()
    euripus_curl_pointer(handle, CURLOPT_PRIVATE, owner)
    euripus_curl_pointer(handle, CURLOPT_HEADERDATA, owner)
    euripus_curl_pointer(handle, CURLOPT_WRITEDATA, owner)
    euripus_curl_function(handle, CURLOPT_HEADERFUNCTION) { bytes, size, count, owner in
      if let transfer = Transfer.of(owner) { transfer.line(Transfer.bytes(bytes, size * count)) }
      return size * count
    }
    euripus_curl_function(handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, owner in
      guard let transfer = Transfer.of(owner) else { return size * count }
      // libcurl keeps a piece that was not taken, and hands it over again (CURLOPT_WRITEFUNCTION(3)).
      let isTaken = transfer.piece(Transfer.bytes(bytes, size * count))
      return isTaken ? size * count : Int(CURL_WRITEFUNC_PAUSE)
    }
    return curl_multi_add_handle(multi, handle) == CURLM_OK
  }

  /// Reads on after a piece that was not taken. It may come before this returns.
  func goOn() {
    if let handle { curl_easy_pause(handle, CURLPAUSE_CONT) }
  }

  /// Takes the request out of the client.
  func leave() {
    if let handle {
      curl_multi_remove_handle(multi, handle)
      curl_easy_cleanup(handle)
    }
    curl_slist_free_all(list)
    (handle, list) = (nil, nil)
  }

  /// The last event of a request that is over.
  func last(_ outcome: CURLcode) -> NodeEvent {
    switch outcome {
    case CURLE_OK:
      tellHead()
      return .end
    // Only a refused connection proves that no server listens; a network without a route does not.
    case CURLE_COULDNT_CONNECT:
      return .failed(handle.map { euripus_curl_error($0) } == Int(ECONNREFUSED) ? .refused : .unreached)
    case CURLE_COULDNT_RESOLVE_HOST, CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION: return .failed(.unreached)
    // Within the time for a connection, no server has answered.
    case CURLE_OPERATION_TIMEDOUT: return .failed(wasConnected ? .broken : .unreached)
    default: return .failed(.broken)
    }
  }

  private var wasConnected: Bool { handle.map { euripus_curl_was_connected($0) != 0 } ?? true }

  private func line(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    // A status line begins a new head, for example after an informational one.
    if text.hasPrefix("HTTP/") { return fields = [] }
    guard let colon = text.firstIndex(of: ":") else { return }
    let value = text[text.index(after: colon)...]
    fields.append((String(text[..<colon]), String(value.prefix { !$0.isNewline })))
  }

  /// - Returns: whether the piece was taken.
  private func piece(_ bytes: [UInt8]) -> Bool {
    tellHead()
    guard !bytes.isEmpty else { return true }
    guard takesPiece() else { return false }
    tell(.piece(bytes))
    return true
  }

  private func tellHead() {
    guard !hasTold, let handle else { return }
    hasTold = true
    tell(.head(status: euripus_curl_status(handle), fields: fields))
  }

  private static func of(_ owner: UnsafeMutableRawPointer?) -> Transfer? {
    owner.map { Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
  }

  private static func bytes(_ start: UnsafeMutablePointer<CChar>?, _ count: Int) -> [UInt8] {
    Array(UnsafeRawBufferPointer(start: start, count: count))
  }
}
