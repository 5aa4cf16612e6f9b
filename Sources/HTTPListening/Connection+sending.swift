// SPDX-License-Identifier: MIT
import CMicroHTTPDShim

/// What is sent in libmicrohttpd's place: a response's head with its body, or the head of a stream (Decisions/0034).
extension Connection {
  /// Memory kept between responses, in bytes.
  private static let keptOutput = 65_536

  /// - Returns: False if there is a field that cannot be sent.
  func write(_ response: HTTPResponse, _ body: ResponseHead.Body, closing: Bool) -> Bool {
    let persistence: ResponseHead.Persistence =
      closing || !reader.head.keepsAlive ? .closing : reader.head.isVersion0 ? .keptOnRequest : .kept
    swap(&output, &loop.output)
    sent = 0
    return ResponseHead.write(
      response, body, common: loop.shared.commonLines, more: answerFields, date: loop.date.now(), persistence,
      isHead: reader.head.isHead, to: &output)
  }

  /// Sends in libmicrohttpd's place.
  /// - Returns: As a `cmhd_writer` does.
  func transmit() -> Int {
    guard !output.isEmpty else { return Int(CMHD_NOT_OURS) }
    while sent < output.count {
      let count = output.withUnsafeBytes { engine.transmit(UnsafeRawBufferPointer(rebasing: $0[sent...])) }
      guard count >= 0 else { return count }
      sent += count
    }
    dropOutput()
    return 0
  }

  /// Gives the space back to the loop.
  func dropOutput() {
    var done: [UInt8] = []
    swap(&done, &output)
    done.removeAll(keepingCapacity: done.capacity <= Self.keptOutput)
    loop.output = done
  }
}
