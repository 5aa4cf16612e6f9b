// SPDX-License-Identifier: MIT
import JSONPatching
public import ObservableCore

/// A part of a module that is bound from a bundle, whatever that is.
public class ModuleItem {
  /// The hashes of the content before and of the present one: at most two (S2-3).
  public var hashes: [UInt64] { fatalError("\(Self.self) does not know its bundle") }

  fileprivate init() {}

  /// Binds it, if its bundle has another content than when that was last done, or it never was (S2-3).
  ///
  /// - Returns: whether it was bound.
  func refresh(in orientation: Orientation, hash: ([UInt8]) -> UInt64) -> Bool {
    fatalError("\(Self.self) does not know its bundle")
  }
}

/// A part of a module that is bound from a bundle of a known type.
///
/// The bundle is plain data: assigning it, or changing it in place, is seen at the next refresh of the page, and is not
/// taken back with a transaction. What is shown is.
public final class BundleItem<Bundle: ItemBundle>: ModuleItem {
  /// What it is bound from.
  public var bundle: Bundle
  private let content: Observable<Bundle.Content>
  private let memory: Observable<Memory>

  /// What is known of the content that is shown. It goes with it if a transaction is undone.
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
    let hash = hash(writer.bytes)
    let known = memory.value
    if hash == known.hashes.last, writer.bytes == known.bytes { return false }
    memory.value = Memory(hashes: known.hashes.suffix(1) + [hash], bytes: writer.bytes)
    self.content.value = content
    return true
  }
}
