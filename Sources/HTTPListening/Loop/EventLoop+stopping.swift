// SPDX-License-Identifier: MIT
import CMicroHTTPDShim
import Glibc

/// Ends the loop, in an order that libmicrohttpd survives.
extension EventLoop {
  /// Tells every stream that it ends. A parked stream is told now, any other when it has sent its bytes.
  func endStreams() {
    endsStreams = true
    for connection in parked.elements { connection.endStream() }
  }

  func stop(by time: UInt64) {
    if !isStopping, acceptsAt == 0 { poller.remove(shared.socket.descriptor) }
    isStopping = true
    stopsBy = min(stopsBy, time)
    for connection in parked.elements { connection.stop() }
    // Requests that have come already are answered too.
    for index in engines.indices { engines[index].isReady = true }
  }

  /// Answers the requests that are still parked. libmicrohttpd aborts the process if it is stopped with a
  /// suspended connection.
  func finish() {
    isFinishing = true
    while parked.count > 0 {
      for connection in parked.elements { connection.force(shared.unavailable) }
      readInbox()
      // The owner of a request that is still parked has just taken the right to answer, and is about to post
      // its answer.
      if parked.count > 0 { _ = poller.wait(1) }
    }
    for each in engines { for _ in 0..<Self.runsInARow { _ = each.engine.run() } }
    for notice in inbox.close() { drop(notice) }
    stopEngines()
  }

  /// Ends a loop that never ran.
  func abandon() {
    for notice in inbox.close() { drop(notice) }
    stopEngines()
  }

  func stopEngines() {
    for each in engines { each.engine.stop() }
    endLingerings()
    if spare >= 0 { close(spare) }
    spare = -1
  }

  func drop(_ notice: Inbox.Notice) {
    switch notice {
    case .connection(let socket, _, let address):
      close(socket)
      shared.admissions.takeBack(address)
    case .answer(_, _, let outcome): outcome.lose()
    case .identity, .wake, .bodyRead, .endStreams, .timePassed, .stop:
      break
    }
  }
}
