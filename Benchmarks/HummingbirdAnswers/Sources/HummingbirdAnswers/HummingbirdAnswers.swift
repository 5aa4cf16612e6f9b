// SPDX-License-Identifier: MIT
import Hummingbird

/// A service as one would write it by hand, and no more: an actor that keeps the last body and has the answer.
private actor Model {
  private var last = ByteBuffer()
  private let answer: ByteBuffer

  init(answerBytes: Int) { answer = ByteBuffer(repeating: UInt8(ascii: "x"), count: answerBytes) }

  func perform(_ body: ByteBuffer) -> ByteBuffer {
    last = body
    return answer
  }
}

/// A room written the same way: each change is told to everybody who waits.
private actor Hall {
  private var waiting: [CheckedContinuation<ByteBuffer, Never>] = []

  func next() async -> ByteBuffer { await withCheckedContinuation { waiting.append($0) } }

  func tell(_ change: ByteBuffer) {
    for each in waiting { each.resume(returning: change) }
    waiting = []
  }
}

/// Answers every POST to a session with a fixed number of bytes, once its body is read. A POST to the hall is told to
/// every GET that waits there.
///
/// Usage: `HummingbirdAnswers PORT BODY-BYTES`.
@main
enum HummingbirdAnswers {
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 3, let port = Int(arguments[1]), let bytes = Int(arguments[2]) else {
      return print("usage: HummingbirdAnswers PORT BODY-BYTES, got \(arguments.dropFirst())")
    }
    let model = Model(answerBytes: bytes)
    let router = Router()
    router.post("sessions/:model/:id/actions/:name") { request, _ in
      let body = try await request.body.collect(upTo: 65_536)
      return Response(
        status: .ok, headers: [.contentType: "application/json"], body: .init(byteBuffer: await model.perform(body)))
    }
    let hall = Hall()
    router.get("hall") { _, _ in
      Response(status: .ok, headers: [.contentType: "application/json"], body: .init(byteBuffer: await hall.next()))
    }
    router.post("hall") { request, _ in
      await hall.tell(try await request.body.collect(upTo: 65_536))
      return Response(status: .ok)
    }
    let application = Application(
      router: router, configuration: .init(address: .hostname("127.0.0.1", port: port)))
    try await application.runService()
  }
}
