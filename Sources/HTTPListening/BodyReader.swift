// SPDX-License-Identifier: MIT
import Buffers

/// Reads a request body, in whatever pieces it comes: as many bytes as were announced, or chunks (RFC 9112 §7.1) until
/// the last one, whose extensions are passed over and whose trailers are checked and dropped.
struct BodyReader {
  private enum State {
    case counted(left: Int)
    /// Before and in the size of a chunk; `digits` of it were read.
    case size(Int, digits: Int)
    /// In white space that may only stand before an extension.
    case padding(Int)
    case chunkExtension(Int)
    /// After the CR of the size's line.
    case sizeEnd(Int)
    case data(left: Int)
    /// After the data: before its CR, and before its LF.
    case dataEnd
    case dataLineEnd
    /// At the beginning of a trailer, or of the empty line that ends the body.
    case trailer
    case trailerName
    case trailerValue
    case trailerEnd
    case end
    case complete
  }

  private var state: State
  /// Bytes of extensions and trailers.
  private var extras = 0

  init(_ framing: FieldSemantics.Framing) {
    switch framing {
    case .none: state = .complete
    case .counted(let length): state = .counted(left: length)
    case .chunked: state = .size(0, digits: 0)
    }
  }

  /// Takes bytes up to the end of the body.
  ///
  /// - Returns: how many were taken, and whether the body is complete.
  mutating func read(
    _ input: UnsafeBufferPointer<UInt8>, into body: inout Buffer<UInt8>, _ limits: RequestLimits
  ) throws(HTTPRefusal) -> (taken: Int, isComplete: Bool) {
    var position = 0
    while true {
      switch state {
      case .complete:
        return (position, true)
      case .counted(let left):
        let count = min(left, input.count - position)
        body.append(contentsOf: UnsafeBufferPointer(rebasing: input[position..<position + count]))
        state = left == count ? .complete : .counted(left: left - count)
        if left > count { return (position + count, false) }
        position += count
      case .data(let left):
        let count = min(left, input.count - position)
        body.append(contentsOf: UnsafeBufferPointer(rebasing: input[position..<position + count]))
        state = left == count ? .dataEnd : .data(left: left - count)
        if left > count { return (position + count, false) }
        position += count
      case .padding, .chunkExtension, .trailer, .trailerName, .trailerValue, .trailerEnd:
        guard position < input.count else { return (position, false) }
        state = try step(input[position], size: body.count, limits)
        position += 1
        if case .sizeEnd = state { break }
        if case .end = state { break }
        extras += 1
        guard extras <= limits.headerBytes else { throw .headersTooLarge(limit: limits.headerBytes) }
      case .size, .sizeEnd, .dataEnd, .dataLineEnd, .end:
        guard position < input.count else { return (position, false) }
        state = try step(input[position], size: body.count, limits)
        position += 1
      }
    }
  }

  private func step(_ byte: UInt8, size: Int, _ limits: RequestLimits) throws(HTTPRefusal) -> State {
    switch state {
    case .size(let chunk, let digits):
      if let digit = hexadecimal(byte) {
        guard digits < 16, chunk <= Int.max >> 4 else { throw .malformedChunk }
        return .size(chunk << 4 | digit, digits: digits + 1)
      }
      guard digits > 0 else { throw .malformedChunk }
      if size + min(chunk, limits.body + 1) > limits.body { throw .bodyTooLarge(limit: limits.body) }
      return try afterSize(byte, chunk)
    case .padding(let chunk):
      if isWhiteSpace(byte) { return state }
      guard byte == 0x3B else { throw .malformedChunk }
      return .chunkExtension(chunk)
    case .chunkExtension(let chunk):
      if byte == 0x0D { return .sizeEnd(chunk) }
      guard isFieldByte(byte) else { throw .malformedChunk }
      return state
    case .sizeEnd(let chunk):
      guard byte == 0x0A else { throw .malformedChunk }
      return chunk == 0 ? .trailer : .data(left: chunk)
    case .dataEnd:
      guard byte == 0x0D else { throw .malformedChunk }
      return .dataLineEnd
    case .dataLineEnd:
      guard byte == 0x0A else { throw .malformedChunk }
      return .size(0, digits: 0)
    case .trailer, .trailerName, .trailerValue, .trailerEnd, .end:
      return try trailerStep(byte)
    case .counted, .data, .complete:
      preconditionFailure("a byte of the body was taken for one around it, in \(state)")
    }
  }

  private func afterSize(_ byte: UInt8, _ chunk: Int) throws(HTTPRefusal) -> State {
    switch byte {
    case 0x0D: return .sizeEnd(chunk)
    case 0x3B: return .chunkExtension(chunk)
    case 0x20, 0x09: return .padding(chunk)
    default: throw .malformedChunk
    }
  }

  private func trailerStep(_ byte: UInt8) throws(HTTPRefusal) -> State {
    switch state {
    case .trailer:
      if byte == 0x0D { return .end }
      guard isTokenByte(byte) else { throw .malformedField }
      return .trailerName
    case .trailerName:
      if byte == 0x3A { return .trailerValue }
      guard isTokenByte(byte) else { throw .malformedField }
      return state
    case .trailerValue:
      if byte == 0x0D { return .trailerEnd }
      guard isFieldByte(byte) else { throw .malformedField }
      return state
    case .trailerEnd:
      guard byte == 0x0A else { throw .malformedLineEnd }
      return .trailer
    case .end:
      guard byte == 0x0A else { throw .malformedLineEnd }
      return .complete
    case .counted, .size, .padding, .chunkExtension, .sizeEnd, .data, .dataEnd, .dataLineEnd, .complete:
      preconditionFailure("a byte of a trailer was met in \(state)")
    }
  }

  private func hexadecimal(_ byte: UInt8) -> Int? {
    switch byte {
    case 0x30...0x39: Int(byte) - 0x30
    case 0x41...0x46: Int(byte) - 0x37
    case 0x61...0x66: Int(byte) - 0x57
    default: nil
    }
  }
}
