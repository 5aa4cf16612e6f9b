// SPDX-License-Identifier: MIT
import JSONPatching
import ObservableCore

/// The state of a view model that a change may replace, or take away: an object or `null`.
final class OptionalPart<Child: ViewModel>: StatePart {
  private let source: ObservableValue<Child?>
  private var child: Child?
  private var part: ObjectPart?
  /// The state of a child that the next stamp will show; it was made to be measured.
  private var coming: (child: Child, part: ObjectPart)?
  /// The revision at which this child came: readers before it know nothing of its state.
  private var cameAt: UInt64 = 0
  private var subscription: Subscription?

  init(_ source: ObservableValue<Child?>) {
    self.source = source
    super.init()
    subscription = source.watch(self, tag: 0)
    adopt(0)
  }

  private func adopt(_ revision: UInt64) {
    part?.detach()
    child = present
    if let coming, coming.child === child { part = coming.part } else { part = child?.part }
    // A change since the part was made is as new as the child.
    _ = part?.stamp(revision)
    part?.join(self)
    if let coming, coming.part !== part { coming.part.detach() }
    coming = nil
  }

  private var present: Child? { (try? source.get()) ?? nil }

  override func nodeDidChange(_ tag: Int) { begin() }

  override func stamp(_ revision: UInt64) -> Bool {
    guard takeBegun() else { return false }
    if child === present { return part?.stamp(revision) ?? false }
    adopt(revision)
    cameAt = revision
    return true
  }

  override func detach() {
    super.detach()
    subscription?.dispose()
    // The subscription keeps its watcher, this part, alive.
    subscription = nil
    part?.detach()
  }

  override var length: Int { part?.length ?? "null".utf8.count }

  override func measure() -> Int {
    let present = present
    if present === child { return part?.measure() ?? length }
    if coming?.child !== present {
      coming?.part.detach()
      coming = present.map { ($0, $0.part) }
    }
    return coming?.part.length ?? "null".utf8.count
  }

  override func forgetBegun() {
    super.forgetBegun()
    forgetComing()
    part?.forgetBegun()
  }

  override func forgetMeasured() {
    forgetComing()
    part?.forgetMeasured()
  }

  private func forgetComing() {
    coming?.part.detach()
    coming = nil
  }

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

  override func lastChange(at path: ArraySlice<String>) -> UInt64? {
    part?.lastChange(at: path).map { max($0, cameAt) }
  }

  override func writePatch(since: UInt64, at path: inout [UInt8], to writer: inout JSONWriter) -> Bool {
    if cameAt > since { return false }
    return part?.writePatch(since: since, at: &path, to: &writer) ?? true
  }
}
