// SPDX-License-Identifier: MIT
import JSONPatching
import ObservableCore

/// Entries that are for some users only.
extension SurfaceEntry {
  /// The same entry, which only these users perform or write. Others are refused with
  /// ``SurfaceError/notAllowed(_:for:)``.
  ///
  /// For a part, such as a list, that holds for everything within it. A command is `enabled` for these users
  /// alone.
  public func `for`(_ audience: Audience) -> Self {
    var entry = self
    entry.description?.audience = audience
    entry.action = action?.limited(to: audience)
    entry.value = value?.limited(to: audience)
    entry.address = address?.settable(by: audience)
    if let limited = output?.enabledFor { entry.output = limited(audience) }
    return entry
  }

  /// The same entry, shown to these users alone, and written by them alone. The state of other users has no
  /// such member.
  ///
  /// - Precondition: it is a value.
  public func visible(to audience: Audience, file: StaticString = #fileID, line: UInt = #line) -> Self {
    guard let limited = output?.visibleTo else {
      refuseToStart(
        "'\(description?.name ?? "an entry")' of \(Model.self) is to be visible to some alone",
        expected: "a value, as by '.value' and '.twoWay'",
        remedy: "have what is within it visible to them, or make it an optional part", file: file, line: line)
    }
    var entry = self.for(audience)
    entry.description?.isHidden = true
    entry.address = entry.address?.visible(to: audience)
    entry.output = limited(audience)
    return entry
  }
}

extension SurfaceInput {
  /// The same input, which refuses other users.
  func limited(to audience: Audience) -> SurfaceInput {
    SurfaceInput(AnyObject.self, name, isPart: isPart) { [prepare] model, change, path throws(SurfaceError) in
      guard audience.mayAct else { throw .notAllowed(change.name, for: audience.words) }
      return try prepare(model, change, path)
    }
  }
}

extension AddressEntry {
  /// The same entry, which the addresses of other users leave as it is.
  fileprivate func settable(by audience: Audience) -> Self {
    guard case .item(let item) = self else { return self }
    return .item(
      AddressItem(
        text: item.text, set: { audience.isPresent ? try item.set($0, $1) : false }, isPresent: item.isPresent))
  }

  /// The same entry, which is in the address for these users alone.
  fileprivate func visible(to audience: Audience) -> Self {
    guard case .item(let item) = self else { return self }
    return .item(AddressItem(text: item.text, set: item.set, isPresent: { audience.isPresent }))
  }
}

/// A value that is absent from the state of other users.
final class ShownToSome<Value>: ShownValue {
  private let shown: any ShownSource<Value>
  let roomAudience: Audience?

  init(_ shown: any ShownSource<Value>, _ audience: Audience) { (self.shown, roomAudience) = (shown, audience) }

  var isSecret: Bool { false }
  var mayBeAbsent: Bool { true }

  /// The node of such a value. It holds `nil` where the value is absent.
  static func node(of source: ObservableValue<Value>, for audience: Audience) -> Node {
    Computed(cutOff: .never) { audience.isPresent ? .some(try source.get()) : Value?.none }
  }

  func isPresent(_ node: Node) -> Bool {
    // An error is shown, as `null`.
    do { return try source(node).get() != nil } catch { return true }
  }

  func isRewritten(_ node: Node) -> Bool { false }

  func write(_ node: Node, to writer: inout JSONWriter) {
    guard let value = try? source(node).get() else { return writer.null() }
    shown.write(value, to: &writer)
  }

  private func source(_ node: Node) -> ObservableValue<Value?> {
    guard let source = node as? ObservableValue<Value?> else { stopProgram(bug: "a surface shows a value of another") }
    return source
  }
}
