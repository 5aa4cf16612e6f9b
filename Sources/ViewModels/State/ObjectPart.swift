// SPDX-License-Identifier: MIT
import JSONPatching
import ObservableCore

/// One member of an object.
enum StateMember {
  case value(ShownValue)
  case part(StatePart)
}

/// The state of one view model, or of one command: an object, whose members are values and parts.
final class ObjectPart: StatePart, Watcher {
  let shape: ObjectShape
  /// Whether the object says first of what kind it is: where others of other kinds stand beside it.
  private let showsKind: Bool
  private let contents: [StateMember]
  private var members: [MemberChange]
  private var secrets: [SecretChange] = []
  /// The members that began to change since the last stamp.
  private var begun: [Int] = []
  /// The bytes of all members, each with a comma.
  private var sum = 0
  private var subscriptions: [Subscription] = []
  /// Told at the first change after a stamp, if this is the whole state.
  var didBegin: () -> Void = {}
  /// Set during a change whose maker looks at its end whether the state is another one, and need not be told.
  var isExpected = false

  /// - Parameter contents: the members, in the order of the shape.
  init(_ shape: ObjectShape, showsKind: Bool = false, _ contents: [StateMember]) {
    self.shape = shape
    self.showsKind = showsKind
    self.contents = contents
    members = Array(repeating: MemberChange(), count: contents.count)
    super.init()
    subscriptions.reserveCapacity(contents.count)
    if showsKind { sum = #""kind":"","#.utf8.count + shape.kind.utf8.count }
    for (index, content) in contents.enumerated() {
      switch content {
      case .value(let value):
        subscriptions.append(value.watch(self, tag: index))
        if value.isSecret { secrets.append(SecretChange(member: index, wasPresent: value.isPresent)) }
      case .part(let part): part.join(self, tag: index)
      }
    }
    for (index, content) in contents.enumerated() {
      switch content {
      case .value(let value): members[index].length = length(index, text(of: value))
      case .part(let part): members[index].length = length(index, part)
      }
      sum += members[index].length
    }
  }

  // MARK: What changes

  func nodeDidChange(_ tag: Int) {
    members[tag].text = nil
    if !members[tag].hasBegun {
      members[tag].hasBegun = true
      begun.append(tag)
    }
    begin()
  }

  func nodeIsEqual(_ tag: Int) {
    // Two texts of the state must not have one version.
    if case .value(let value) = contents[tag], value.isRewritten { nodeDidChange(tag) }
  }

  override func partDidBegin(_ part: StatePart) { nodeDidChange(part.tag) }

  override func announce() {
    if parent != nil { return super.announce() }
    if !isExpected { didBegin() }
  }

  override func stamp(_ revision: UInt64) -> Bool {
    guard takeBegun() else { return false }
    var isVisible = false
    // Stamping may make rows, whose code may change something: that is of the next stamp.
    let count = begun.count
    for index in 0..<count {
      let member = begun[index]
      members[member].hasBegun = false
      let isOther: Bool
      let length: Int
      switch contents[member] {
      case .part(let part):
        isOther = part.stamp(revision)
        length = self.length(member, part)
      case .value(let value):
        isOther = !value.isSecret || stampSecret(member, value.isPresent)
        length = self.length(member, members[member].text ?? text(of: value))
      }
      sum += length - members[member].length
      members[member].length = length
      guard isOther else { continue }
      members[member].changedAt = revision
      isVisible = true
    }
    begun.removeFirst(count)
    return isVisible
  }

  /// - Returns: whether the state has the secret now and had not, or the other way round: one set secret after another
  ///   shows no difference.
  private func stampSecret(_ member: Int, _ isPresent: Bool) -> Bool {
    guard let index = secrets.firstIndex(where: { $0.member == member }) else { return true }
    defer { secrets[index].wasPresent = isPresent }
    if !isPresent, !secrets[index].wasPresent { return false }
    secrets[index].changedBefore = members[member].changedAt
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

  // MARK: Its length

  override var length: Int { Self.length(sum) }

  /// Two braces, and no comma after the last member.
  private static func length(_ sum: Int) -> Int { sum == 0 ? 2 : sum + 1 }

  override func measure() -> Int {
    guard hasBegun else { return length }
    var next = sum
    for member in begun {
      switch contents[member] {
      case .part(let part): next += shape.labels[member].member.count + part.measure() + 1
      case .value(let value):
        let text = members[member].text ?? text(of: value)
        members[member].text = text
        next += length(member, text)
      }
      next -= members[member].length
    }
    return Self.length(next)
  }

  override func forgetBegun() {
    super.forgetBegun()
    for member in begun {
      members[member].hasBegun = false
      members[member].text = nil
      if case .part(let part) = contents[member] { part.forgetBegun() }
    }
    begun.removeAll(keepingCapacity: true)
  }

  override func forgetMeasured() {
    for member in begun {
      members[member].text = nil
      if case .part(let part) = contents[member] { part.forgetMeasured() }
    }
  }

  private func text(of value: ShownValue) -> [UInt8] {
    guard value.isPresent else { return [] }
    var writer = JSONWriter(capacity: 32)
    value.write(to: &writer)
    return writer.bytes
  }

  private func length(_ member: Int, _ text: [UInt8]) -> Int {
    text.isEmpty ? 0 : shape.labels[member].member.count + text.count + 1
  }

  /// The bytes of a part as of its last stamp, with its name and a comma.
  private func length(_ member: Int, _ part: StatePart) -> Int { shape.labels[member].member.count + part.length + 1 }

  // MARK: Its JSON

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
    case .value(let value):
      guard path.count == 1, !value.isSecret else { return false }
      write(member, to: &writer)
      return true
    }
  }

  override func writePatch(since: UInt64, at path: inout [UInt8], to writer: inout JSONWriter) -> Bool {
    for member in contents.indices where members[member].changedAt > since {
      let segment = shape.labels[member].segment
      switch contents[member] {
      case .part(let part): part.writeChange(since: since, at: &path, segment, to: &writer)
      case .value(let value) where value.isSecret:
        writeSecret(member, value, since: since, path, segment, to: &writer)
      case .value:
        writer.operation(.replace, path, segment) { write(member, to: &$0) }
      }
    }
    return true
  }

  private func writeSecret(
    _ member: Int, _ value: ShownValue, since: UInt64, _ path: [UInt8], _ segment: [UInt8],
    to writer: inout JSONWriter
  ) {
    if value.isPresent {
      // `add` replaces too, so it is right whether or not the reader has the member.
      return writer.operation(.add, path, segment) { write(member, to: &$0) }
    }
    // Absent now, so present just before the last change; a reader from further back may have either.
    if let secret = secrets.first(where: { $0.member == member }), secret.changedBefore > since {
      writer.operation(.add, path, segment) { $0.null() }
    }
    writer.operation(.remove, path, segment)
  }

  private func isPresent(_ member: Int) -> Bool {
    if case .value(let value) = contents[member] { value.isPresent } else { true }
  }

  /// Writes a member that is present. The text that is known of a value goes with that.
  private func write(_ member: Int, to writer: inout JSONWriter) {
    switch contents[member] {
    case .part(let part): part.write(to: &writer)
    case .value(let value):
      guard let text = members[member].text else { return value.write(to: &writer) }
      members[member].text = nil
      writer.raw(text)
    }
  }
}
