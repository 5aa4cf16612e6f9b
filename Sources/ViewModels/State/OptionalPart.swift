// SPDX-License-Identifier: MIT
import JSONPatching
import ObservableCore

/// The state of a view model that may be another one after a change, or none: an object or `null`.
final class OptionalPart<Child: ViewModel>: StatePart, Watcher {
  private let source: ObservableValue<Child?>
  private var child: Child?
  private var part: ObjectPart?
  /// The revision at which this child came: who is older knows nothing of its state.
  private var cameAt: UInt64 = 0
  private var subscription: Subscription?

  init(_ source: ObservableValue<Child?>) {
    self.source = source
    super.init()
    subscription = source.watch(self, tag: 0)
    adopt()
  }

  private func adopt() {
    part?.detach()
    child = (try? source.get()) ?? nil
    part = child?.part(showsKind: false)
    part?.join(self)
  }

  func nodeDidChange(_ tag: Int) { begin() }

  override func stamp(_ revision: UInt64) -> Bool {
    guard takeBegun() else { return false }
    if child === ((try? source.get()) ?? nil) { return part?.stamp(revision) ?? false }
    adopt()
    cameAt = revision
    return true
  }

  override func detach() {
    super.detach()
    subscription?.dispose()
    // It holds its watcher, which is this.
    subscription = nil
    part?.detach()
  }

  override var leastLength: Int { part?.leastLength ?? "null".utf8.count }

  override func write(to writer: inout JSONWriter) {
    if let part { part.write(to: &writer) } else { writer.null() }
  }

  override func write(at path: ArraySlice<String>, to writer: inout JSONWriter) -> Bool {
    if path.isEmpty {
      write(to: &writer)
      return true
    }
    return part?.write(at: path, to: &writer) ?? false
  }

  override func writePatch(since: UInt64, at path: inout [UInt8], to writer: inout JSONWriter) -> Bool {
    if cameAt > since { return false }
    return part?.writePatch(since: since, at: &path, to: &writer) ?? true
  }
}
