// SPDX-License-Identifier: MIT
import JSONPatching
public import ObservableCore

/// A part of a module that is bound from a bundle of any type.
public class ModuleItem {
  /// The hashes of the previous and the present content: at most two (S2-3).
  public var hashes: [UInt64] { stopProgram(bug: "\(Self.self) does not know its bundle") }

  fileprivate init() {}

  /// Binds the item if it was never bound, or if the content of its bundle has changed since (S2-3).
  ///
  /// - Returns: whether it was bound.
  func refresh(in orientation: Orientation, hash: ([UInt8]) -> UInt64) -> Bool {
    stopProgram(bug: "\(Self.self) does not know its bundle")
  }

  /// Writes the bundle, if that is JSON, and the shown content.
  func writeStored(to writer: inout JSONWriter) { stopProgram(bug: "\(Self.self) does not know its bundle") }

  func putBack(_ json: JSON, _ restoration: Restoration) throws {
    stopProgram(bug: "\(Self.self) does not know its bundle")
  }
}

/// A part of a module that is bound from a bundle of a known type.
///
/// The bundle is plain data. The page's next refresh sees an assignment, or a change in place; a transaction
/// does not undo it. A transaction does undo a change of the shown content.
public final class BundleItem<Bundle: ItemBundle>: ModuleItem {
  /// The bundle from which it is bound.
  public var bundle: Bundle
  private let content: Observable<Bundle.Content>
  private let memory: Observable<Memory>

  /// The memory of the shown content. An undone transaction restores both.
  private struct Memory {
    var hashes: [UInt64] = []
    /// The content's JSON, as equal hashes do not prove equal contents (S2-4). It is a copy, since the bundle
    /// may change in place.
    var bytes: [UInt8]?
  }

  /// An item. It shows its bundle's content in portrait until a page refreshes it.
  public init(
    _ bundle: Bundle, name: StaticString = "", file: StaticString = #fileID, line: UInt = #line
  ) {
    self.bundle = bundle
    content = Observable(bundle.content(in: .portrait), cutOff: .never, name: name, file: file, line: line)
    memory = Observable(Memory(), cutOff: .never, file: file, line: line)
  }

  /// The content as of the last binding.
  public var shown: ObservableValue<Bundle.Content> { content }

  public override var hashes: [UInt64] { memory.value.hashes }

  override func refresh(in orientation: Orientation, hash: ([UInt8]) -> UInt64) -> Bool {
    let content = bundle.content(in: orientation)
    var writer = JSONWriter()
    content.write(to: &writer)
    let bytes = writer.bytes
    let hash = hash(bytes)
    let known = memory.value
    if hash == known.hashes.last, bytes == known.bytes { return false }
    memory.value = Memory(hashes: known.hashes.suffix(1) + [hash], bytes: bytes)
    self.content.value = content
    return true
  }

  /// Writes `{"bundle":…,"content":…,"hashes":["…"]}`. It has no bundle if that is not JSON, and no hashes
  /// before the first binding.
  override func writeStored(to writer: inout JSONWriter) {
    writer.beginObject()
    if let bundle = bundle as? any JSONRepresentable {
      writer.key("bundle")
      bundle.write(to: &writer)
    }
    writer.key("content")
    content.value.write(to: &writer)
    let hashes = hashes
    if !hashes.isEmpty {
      writer.key("hashes")
      // As texts: a reader of JSON may lose the last bits of a number (RFC 8259 §6).
      hashes.map { String($0, radix: 16) }.write(to: &writer)
    }
    writer.endObject()
  }

  override func putBack(_ json: JSON, _ restoration: Restoration) throws {
    if let stored = json["bundle"], let type = Bundle.self as? any JSONRepresentable.Type {
      try restoration.below("bundle") {
        if let value = try restoration.value(stored, as: type) as? Bundle { restoration.assign { self.bundle = value } }
      }
    }
    guard let stored = json["content"] else { return }
    try restoration.below("content") {
      guard let value = try restoration.value(stored, as: Bundle.Content.self) else { return }
      restoration.put(value, into: content)
      var writer = JSONWriter()
      value.write(to: &writer)
      let hashes = try json["hashes"].flatMap { try restoration.value($0, as: [String].self) }
      restoration.put(
        hashes.map { Memory(hashes: $0.compactMap { UInt64($0, radix: 16) }, bytes: writer.bytes) } ?? Memory(),
        into: memory)
    }
  }
}
