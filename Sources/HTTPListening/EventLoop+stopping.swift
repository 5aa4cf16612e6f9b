// SPDX-License-Identifier: MIT
import CMicroHTTPDShim
import Glibc

/// Coming to an end in the order that libmicrohttpd survives.
extension EventLoop {
  func stop(by time: UInt64) {
    if !isStopping, acceptsAt == 0 { poller.remove(shared.socket.descriptor) }
    isStopping = true
    stopsBy = min(stopsBy, time)
    for connection in parked.connections { connection.end(.stopping) }
  }

  /// Answers what is still parked, because libmicrohttpd aborts if it is stopped with a suspended connection.
  func finish() {
    readInbox()
    for connection in parked.connections { connection.force(HTTPResponse(status: 503, fields: [], body: [])) }
    readInbox()
    for seat in seats { for _ in 0..<Self.runsInARow { _ = seat.engine.run() } }
    precondition(parked.count == 0, "\(parked.count) requests are still parked after every one was answered")
    for message in inbox.close() { drop(message) }
    stopEngines()
  }

  /// Ends a loop that never ran.
  func abandon() {
    for message in inbox.close() { drop(message) }
    stopEngines()
  }

  func stopEngines() {
    for seat in seats { seat.engine.stop() }
    if spare >= 0 { close(spare) }
    spare = -1
  }

  func drop(_ message: Inbox.Message) {
    switch message {
    case .connection(let socket, _):
      close(socket)
      shared.connectionClosed()
    case .answer, .stop:
      break
    }
  }
}
