// SPDX-License-Identifier: MIT
import JSONPatching
public import ObservableCore

/// A part of a module that is bound from a bundle, whatever that is.
public class ModuleItem {
  /// The hashes of the content before and of the present one: at most two (S2-3).
  public var hashes: [UInt64] { stopProgram(bug: "\(Self.self) does not know its bundle") }

  fileprivate init() {}

  /// Binds it, if its bundle has another content than when that was last done, or it never was (S2-3).
  ///
  /// - Returns: whether it was bound.
  func refresh(in orientation: Orientation, hash: ([UInt8]) -> UInt64) -> Bool {
    stopProgram(bug: "\(Self.self) does not know its bundle")
  }

  /// Writes the bundle, as far as that is JSON, and the content that is shown.
  func writeStored(to writer: inout JSONWriter) { stopProgram(bug: "\(Self.self) does not know its bundle") }

  func putBack(_ json: JSON, _ restoration: Restoration) throws {
    stopProgram(bug: "\(Self.self) does not know its bundle")
  }
}

/// A part of a module that is bound from a bundle of a known type.
///
/// The bundle is plain data: assigning it, or changing it in place, is seen at the next refresh of the page, and is not
/// taken back with a transaction. What is shown is.
public final class BundleItem<Bundle: ItemBundle>: ModuleItem {
  /// The bundle that it is bound from.
  public var bundle: Bundle
  private let content: Observable<Bundle.Content>
  private let memory: Observable<Memory>

  /// The memory of the content that is shown. It goes with it if a transaction is undone.
  private struct Memory {
    var hashes: [UInt64] = []
    /// Its JSON, for what equal hashes do not say (S2-4). A copy, as the bundle may be changed in place.
    var bytes: [UInt8]?
  }

  /// An item that shows its bundle's content in portrait until a page refreshes it.
  public init(
    _ bundle: Bundle, name: StaticString = "", file: StaticString = #fileID, line: UInt = #line
  ) {
    self.bundle = bundle
    content = Observable(bundle.content(in: .portrait), cutOff: .never, name: name, file: file, line: line)
    memory = Observable(Memory(), cutOff: .never, file: file, line: line)
  }

  /// The content as it was last bound.
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

  /// `{"bundle":…,"content":…,"hashes":["…"]}`; no bundle if that is not JSON, no hashes before it was first bound.
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
      // As text: a reader of JSON need not keep the last bits of a number (RFC 8259 §6).
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
