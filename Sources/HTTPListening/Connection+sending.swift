// SPDX-License-Identifier: MIT
import Buffers
import CMicroHTTPDShim

/// What is sent in libmicrohttpd's place: a response's head with its body, or the head and the
/// pieces of a stream (Decisions/0034).
extension Connection {
  /// Memory kept between responses, in bytes.
  private static let keptOutput = 65_536

  /// - Returns: False if there is a field that cannot be sent.
  func write(_ response: HTTPResponse, _ body: ResponseHead.Body, closing: Bool) -> Bool {
    let persistence: ResponseHead.Persistence =
      closing || !head.keepsAlive ? .closing : head.isVersion0 ? .keptOnRequest : .kept
    swap(&output, &loop.output)
    sent = 0
    return ResponseHead.write(
      response, body, common: loop.commonLines.now(), more: answerFields, persistence, isHead: head.isHead, to: &output)
  }

  /// Has a piece of a stream's body sent, behind what is to be sent already; not an empty one.
  func send(_ piece: [UInt8], inChunks: Bool) {
    if output.isEmpty {
      swap(&output, &loop.output)
      sent = 0
    }
    if inChunks { output.append(utf8: "\(String(piece.count, radix: 16))\r\n") }
    output.append(contentsOf: piece)
    if inChunks { output.append("\r\n") }
  }

  /// Sends in libmicrohttpd's place.
  /// - Returns: As a `cmhd_writer` does.
  func transmit() -> Int {
    guard !output.isEmpty else { return Int(CMHD_NOT_OURS) }
    while sent < output.count {
      let count = engine.transmit(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: output.elements[sent...])))
      guard count >= 0 else { return count }
      sent += count
    }
    dropOutput()
    return 0
  }

  /// Gives the space back to the loop.
  func dropOutput() {
    output.hand(to: &loop.output, keepingAtMost: Self.keptOutput)
  }
}
