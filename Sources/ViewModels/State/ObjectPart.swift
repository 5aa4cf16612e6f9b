// SPDX-License-Identifier: MIT
import JSONPatching
import ObservableCore

/// The state of one view model, or of one command: an object, whose members are values and parts.
final class ObjectPart: StatePart, Watcher {
  enum Content {
    case value(Node)
    case part(StatePart)
  }

  /// What is known of a secret beside when it changed.
  private struct Secret {
    let member: Int
    /// Whether the state had it at the last stamp.
    var wasPresent: Bool
    /// The revision that changed it before the one which last did.
    var changedBefore: UInt64 = 0
  }

  let shape: ObjectShape
  /// Whether the object says first of what kind it is: where others of other kinds stand beside it.
  private let showsKind: Bool
  private let contents: [Content]
  /// By member: the revision that last changed it.
  private var changedAt: [UInt64]
  private var secrets: [Secret] = []
  /// The members that began to change since the last stamp, in the order of that; some more than once.
  private var begun: [Int] = []
  private var subscriptions: [Subscription] = []
  /// Told at the first change after a stamp, if this is the whole state.
  var didBegin: () -> Void = {}

  /// - Parameter contents: what the members of the shape are here, in its order.
  init(_ shape: ObjectShape, showsKind: Bool = false, _ contents: [Content]) {
    self.shape = shape
    self.showsKind = showsKind
    self.contents = contents
    changedAt = Array(repeating: 0, count: contents.count)
    super.init()
    subscriptions.reserveCapacity(contents.count)
    for (index, content) in contents.enumerated() {
      switch (content, shape.members[index]) {
      case (.value(let node), .value(let face)): subscriptions.append(face.watch(node, self, index))
      case (.part(let part), .part):
        part.join(self, tag: index)
      case (.value, .part), (.part, .value): preconditionFailure("\(shape.kind): the contents are of another shape")
      }
    }
    secrets = shape.secrets.map { Secret(member: $0, wasPresent: isPresent($0)) }
  }

  // MARK: What changes

  func nodeDidChange(_ tag: Int) {
    begun.append(tag)
    begin()
  }

  override func partDidBegin(_ part: StatePart) { nodeDidChange(part.tag) }

  override func announce() { if parent == nil { didBegin() } else { super.announce() } }

  override func stamp(_ revision: UInt64) -> Bool {
    guard takeBegun() else { return false }
    var isVisible = false
    // Once is the rule, and needs no set.
    let members = begun.count == 1 ? begun : Set(begun).sorted()
    begun.removeAll(keepingCapacity: true)
    for member in members {
      switch contents[member] {
      case .value: if !shape.secrets.isEmpty, !stampSecret(member) { continue }
      case .part(let part): if !part.stamp(revision) { continue }
      }
      changedAt[member] = revision
      isVisible = true
    }
    return isVisible
  }

  /// - Returns: whether the member is no secret, or the state has it now and had not, or the other way round: one set
  ///   secret after another shows no difference.
  private func stampSecret(_ member: Int) -> Bool {
    guard let index = secrets.firstIndex(where: { $0.member == member }) else { return true }
    let isPresent = isPresent(member)
    defer { secrets[index].wasPresent = isPresent }
    if !isPresent, !secrets[index].wasPresent { return false }
    secrets[index].changedBefore = changedAt[member]
    return true
  }

  override func detach() {
    super.detach()
    didBegin = {}
    for subscription in subscriptions { subscription.dispose() }
    // Each holds its watcher, which is this.
    subscriptions = []
    for case .part(let part) in contents { part.detach() }
  }

  // MARK: What it is

  override var leastLength: Int {
    // What the parts have now, not the shortest there is: a long list would be written at each change to be compared.
    zip(contents, shape.members).reduce(shape.leastLength) { length, member in
      if case (.part(let part), .part(let least)) = member { length + part.leastLength - least } else { length }
    }
  }

  private func isPresent(_ member: Int) -> Bool {
    guard case .value(let node) = contents[member], case .value(let face) = shape.members[member] else { return true }
    return face.isPresent?(node) ?? true
  }

  override func write(to writer: inout JSONWriter) {
    writer.beginObject()
    if showsKind {
      writer.key("kind")
      writer.string(shape.kind)
    }
    for member in contents.indices where isPresent(member) {
      writer.rawPrefix(shape.labels[member].member)
      write(member, to: &writer)
    }
    writer.endObject()
  }

  private func write(_ member: Int, to writer: inout JSONWriter) {
    switch (contents[member], shape.members[member]) {
    case (.value(let node), .value(let face)): face.write(node, &writer)
    case (.part(let part), _): part.write(to: &writer)
    case (.value, .part): preconditionFailure("\(shape.kind): the contents are of another shape")
    }
  }

  override func write(at path: ArraySlice<String>, to writer: inout JSONWriter) -> Bool {
    guard let name = path.first else {
      write(to: &writer)
      return true
    }
    if showsKind, name == "kind", path.count == 1 {
      writer.string(shape.kind)
      return true
    }
    guard let member = shape.index(of: name) else { return false }
    switch contents[member] {
    case .part(let part): return part.write(at: path.dropFirst(), to: &writer)
    case .value:
      guard path.count == 1, !secrets.contains(where: { $0.member == member }) else { return false }
      write(member, to: &writer)
      return true
    }
  }

  override func writePatch(since: UInt64, at path: inout [UInt8], to writer: inout JSONWriter) -> Bool {
    for member in contents.indices where changedAt[member] > since {
      let segment = shape.labels[member].segment
      switch (contents[member], shape.members[member]) {
      case (.part(let part), _): part.writeChange(since: since, at: &path, segment, to: &writer)
      case (.value(let node), .value(let face)) where face.isPresent == nil:
        writer.operation(.replace, path, segment) { face.write(node, &$0) }
      case (.value(let node), .value(let face)):
        writeSecret(member, face, node, since: since, path, segment, to: &writer)
      case (.value, .part): preconditionFailure("\(shape.kind): the contents are of another shape")
      }
    }
    return true
  }

  private func writeSecret(
    _ member: Int, _ face: OutputFace, _ node: Node, since: UInt64, _ path: [UInt8], _ segment: [UInt8],
    to writer: inout JSONWriter
  ) {
    if isPresent(member) {
      // `add` replaces too, so it is right whether or not the reader has the member.
      return writer.operation(.add, path, segment) { face.write(node, &$0) }
    }
    // Absent now, so present just before the last change; a reader from further back may have either.
    if let secret = secrets.first(where: { $0.member == member }), secret.changedBefore > since {
      writer.operation(.add, path, segment) { $0.null() }
    }
    writer.operation(.remove, path, segment)
  }
}
