// SPDX-License-Identifier: MIT
import Buffers

/// Reads one request after the other from what a client sends, in whatever pieces it comes. A pure state machine: bytes
/// in, requests out.
struct RequestReader: ~Copyable {
  /// What the bytes taken have come to.
  enum Progress: Equatable {
    /// All were taken, and more are needed.
    case incomplete
    /// The request is read; what was not taken belongs to the next one.
    case complete
    /// It must not be read on.
    case refused(HTTPRefusal)
  }

  private enum Phase {
    case head(HeadReader)
    case body(BodyReader)
  }

  let limits: RequestLimits
  let head = RequestHead()
  private(set) var body = Buffer<UInt8>()
  private var phase = Phase.head(HeadReader())
  private var expectsContinue = false

  /// Memory kept between requests, in bytes.
  private static let keptCapacity = 4_096

  init(limits: RequestLimits) { self.limits = limits }

  /// Whether anything of the present request has come.
  var hasBegun: Bool { !head.bytes.isEmpty }

  /// Whether the head is read.
  var isInBody: Bool {
    switch phase {
    case .head: false
    case .body: true
    }
  }

  /// Takes bytes up to the end of the present request.
  mutating func read(_ input: UnsafeBufferPointer<UInt8>) -> (taken: Int, progress: Progress) {
    do throws(HTTPRefusal) {
      var taken = 0
      if case .head(var reader) = phase {
        let (count, isComplete) = try reader.read(input, into: head, limits)
        guard isComplete else {
          phase = .head(reader)
          return (count, .incomplete)
        }
        taken = count
        expectsContinue = reader.semantics.expectsContinue
        phase = .body(BodyReader(reader.semantics.framing))
      }
      guard case .body(var reader) = phase else { preconditionFailure("a head was read, and no body follows") }
      let (count, isComplete) = try reader.read(
        UnsafeBufferPointer(rebasing: input[taken...]), into: &body, limits)
      phase = .body(reader)
      if count > 0 { expectsContinue = false }
      return (taken + count, isComplete ? .complete : .incomplete)
    } catch {
      return (input.count, .refused(error))
    }
  }

  /// Whether the client waits to be told to send the body; it need be told once.
  mutating func takeExpectation() -> Bool {
    defer { expectsContinue = false }
    return expectsContinue
  }

  /// The body is not needed any more.
  mutating func dropBody() {
    body.removeAll(keepingAtMost: Self.keptCapacity)
  }

  /// Begins with the next request.
  mutating func next() {
    head.clear()
    dropBody()
    phase = .head(HeadReader())
    expectsContinue = false
  }
}
