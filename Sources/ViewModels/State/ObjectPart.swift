// SPDX-License-Identifier: MIT
import JSONPatching
import ObservableCore

/// One member of an object: the node behind a value, or a part.
enum StateMember {
  case value(Node)
  case part(StatePart)
}

/// The state of one view model or of one command: an object with values and parts as members.
class ObjectPart: StatePart {
  /// Whether the object begins with its kind, as it does beside objects of other kinds.
  private final let showsKind: Bool
  final let shape: ObjectShape
  private final let contents: [StateMember]
  private final var changes: MemberChanges?
  /// The bytes of all members, each with a comma.
  private final var sum = 0

  /// - Parameter contents: the members, in the order of the shape.
  init(_ shape: ObjectShape, showsKind: Bool = false, _ contents: [StateMember]) {
    self.shape = shape
    self.showsKind = showsKind
    self.contents = contents
    super.init()
    for (index, content) in contents.enumerated() {
      switch content {
      case .value(let node):
        node.call(shape.nodeNames[index])
        if let subscription = node.watch(by: self, tag: index) { known.subscriptions.append(subscription) }
        let value = shape.value(index)
        if value.mayBeAbsent {
          known.passing.append(.init(member: index, wasPresent: value.isPresent(node)))
        }
      case .part(let part): part.join(self, tag: index)
      }
    }
    sum = kindLength + contents.indices.reduce(0) { $0 + presentLength($1) }
  }

  /// The changes. They are made if they were not.
  private final var known: MemberChanges {
    if let changes { return changes }
    let made = MemberChanges(count: contents.count)
    changes = made
    return made
  }

  // MARK: Changing

  override final func nodeDidChange(_ tag: Int) {
    known.begin(tag)
    begin()
  }

  override final func nodeIsEqual(_ tag: Int) {
    // Two texts of the state must not have the same version.
    if case .value(let node) = contents[tag], shape.value(tag).isRewritten(node) { nodeDidChange(tag) }
  }

  override final func partDidBegin(_ part: StatePart) { nodeDidChange(part.tag) }

  override func stamp(_ revision: UInt64) -> Bool {
    guard takeBegun(), let changes else { return false }
    learnLengths()
    var isVisible = false
    // Stamping may make rows, whose code may change something. Such a change belongs to the next stamp.
    let count = changes.begun.count
    for index in 0..<count {
      let member = changes.begun[index]
      changes.members[member].hasBegun = false
      let isOther: Bool
      let length: Int
      switch contents[member] {
      case .part(let part):
        isOther = part.stamp(revision)
        length = self.length(member, part)
      case .value(let node):
        let value = shape.value(member)
        isOther = !value.mayBeAbsent || stampPassing(member, value.isPresent(node))
        length = self.length(member, changes.members[member].text ?? text(of: node, value))
      }
      sum += length - changes.members[member].length
      changes.members[member].length = length
      guard isOther else { continue }
      changes.members[member].changedAt = revision
      isVisible = true
    }
    changes.begun.removeFirst(count)
    return isVisible
  }

  /// - Returns: whether the member is present or was present before: a secret that replaces a secret makes no
  ///   difference.
  private final func stampPassing(_ member: Int, _ isPresent: Bool) -> Bool {
    guard let changes, let index = changes.passing.firstIndex(where: { $0.member == member }) else { return true }
    defer { changes.passing[index].wasPresent = isPresent }
    if !isPresent, !changes.passing[index].wasPresent { return false }
    changes.passing[index].changedBefore = changes.members[member].changedAt
    return true
  }

  override func detach() {
    super.detach()
    for content in contents {
      switch content {
      // The node keeps its watcher, this part, alive.
      case .value(let node): node.endWatch(by: self)
      case .part(let part): part.detach()
      }
    }
    changes?.endWatches()
  }

  override func lastChange(at path: ArraySlice<String>) -> UInt64? {
    guard let name = path.first, let member = shape.index(of: name) else { return nil }
    if path.count > 1 {
      guard case .part(let part) = contents[member] else { return nil }
      return part.lastChange(at: path.dropFirst())
    }
    // A reader is not told when a value changes that is for others.
    if shape.hasAudiences, isHidden(member) { return nil }
    return changes?.members[member].changedAt ?? 0
  }

  // MARK: Its length

  override final var length: Int { Self.length(sum) }

  /// Two braces, and no comma after the last member.
  private static func length(_ sum: Int) -> Int { sum == 0 ? 2 : sum + 1 }

  private final var kindLength: Int { showsKind ? #""kind":"","#.utf8.count + shape.kind.utf8.count : 0 }

  override final func measure() -> Int {
    guard hasBegun, let changes else { return length }
    learnLengths()
    var next = sum
    for member in changes.begun {
      switch contents[member] {
      case .part(let part): next += shape.labels[member].member.count + part.measure() + 1
      case .value(let node):
        let text = changes.members[member].text ?? text(of: node, shape.value(member))
        changes.members[member].text = text
        next += length(member, text)
      }
      next -= changes.members[member].length
    }
    return Self.length(next)
  }

  override final func forgetBegun() {
    super.forgetBegun()
    guard let changes else { return }
    for member in changes.begun {
      if case .part(let part) = contents[member] { part.forgetBegun() }
    }
    changes.forgetBegun()
  }

  override final func forgetMeasured() {
    guard let changes else { return }
    for member in changes.begun {
      changes.members[member].text = nil
      if case .part(let part) = contents[member] { part.forgetMeasured() }
    }
  }

  private final func learnLengths() { changes?.learnLengths(sum: sum - kindLength, presentLength) }

  private final func text(of node: Node, _ value: any ShownValue) -> [UInt8] {
    guard value.isPresent(node) else { return [] }
    var writer = JSONWriter(capacity: 32)
    value.write(node, to: &writer)
    return writer.bytes
  }

  /// The bytes of a member with its name and a comma: of a value as it is now, of a part as of its last stamp.
  private final func presentLength(_ member: Int) -> Int {
    switch contents[member] {
    case .value(let node): length(member, text(of: node, shape.value(member)))
    case .part(let part): length(member, part)
    }
  }

  private final func length(_ member: Int, _ text: [UInt8]) -> Int {
    text.isEmpty ? 0 : shape.labels[member].member.count + text.count + 1
  }

  private final func length(_ member: Int, _ part: StatePart) -> Int {
    shape.labels[member].member.count + part.length + 1
  }

  // MARK: Its JSON

  override final func write(to writer: inout JSONWriter) {
    writer.beginObject()
    if showsKind {
      writer.key("kind")
      writer.string(shape.kind)
    }
    for member in contents.indices where isShown(member) {
      writer.rawPrefix(shape.labels[member].member)
      write(member, to: &writer)
    }
    writer.endObject()
  }

  override final func write(at path: ArraySlice<String>, to writer: inout JSONWriter) -> Bool {
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
      guard path.count == 1, !shape.value(member).isSecret, isShown(member) else { return false }
      write(member, to: &writer)
      return true
    }
  }

  override final func writePatch(since: UInt64, at path: inout [UInt8], to writer: inout JSONWriter) -> Bool {
    guard let changes else { return true }
    for member in contents.indices where changes.members[member].changedAt > since {
      let segment = shape.labels[member].segment
      switch contents[member] {
      case .part(let part): part.writeChange(since: since, at: &path, segment, to: &writer)
      // It is the same for the reader as long as the reader's view is.
      case .value where shape.hasAudiences && isHidden(member): break
      case .value where shape.value(member).mayBeAbsent:
        writePassing(member, since: since, path, segment, to: &writer)
      case .value:
        writer.operation(.replace, path, segment) { write(member, to: &$0) }
      }
    }
    return true
  }

  private final func writePassing(
    _ member: Int, since: UInt64, _ path: [UInt8], _ segment: [UInt8], to writer: inout JSONWriter
  ) {
    if isPresent(member) {
      // `add` replaces too, so it is right whether or not the reader has the member.
      return writer.operation(.add, path, segment) { write(member, to: &$0) }
    }
    // It is absent now, so it was present just before the last change. A reader from further back may have it
    // or not.
    if let passing = changes?.passing.first(where: { $0.member == member }), passing.changedBefore > since {
      writer.operation(.add, path, segment) { $0.null() }
    }
    writer.operation(.remove, path, segment)
  }

  private final func isPresent(_ member: Int) -> Bool {
    if case .value(let node) = contents[member] { shape.value(member).isPresent(node) } else { true }
  }

  /// Whether the reader's state has a member.
  private final func isShown(_ member: Int) -> Bool {
    isPresent(member) && !(shape.hasAudiences && isHidden(member) && shape.values[member]?.jsonForOthers == nil)
  }

  /// Whether a value is for other users of the room than the reader.
  private final func isHidden(_ member: Int) -> Bool {
    guard let audience = shape.values[member]?.roomAudience, let view = roomView else { return false }
    return !view.shows(audience)
  }

  /// Writes a member that is shown. The kept text of a value is dropped by this.
  private final func write(_ member: Int, to writer: inout JSONWriter) {
    switch contents[member] {
    case .part(let part): part.write(to: &writer)
    case .value(let node):
      if shape.hasAudiences, isHidden(member), let others = shape.values[member]?.jsonForOthers {
        return writer.raw(others)
      }
      guard let text = changes?.members[member].text else { return shape.value(member).write(node, to: &writer) }
      changes?.members[member].text = nil
      writer.raw(text)
    }
  }
}
