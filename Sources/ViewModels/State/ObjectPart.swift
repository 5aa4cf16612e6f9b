// SPDX-License-Identifier: MIT
import JSONPatching
import ObservableCore

/// The state of one view model, or of one command: an object, whose members are values and parts.
final class ObjectPart: StatePart, Watcher {
  enum Content {
    case value(Node)
    case part(StatePart)
  }

  let shape: ObjectShape
  /// Whether the object says first of what kind it is: where others of other kinds stand beside it.
  private let showsKind: Bool
  private let places: [MemberPlace]

  // One thread at a time is in a state, and no code of others runs while one of these is being changed: they go without
  // the runtime's exclusivity checks, which cost more than the work they guard. As in the graph (`Node`).
  @exclusivity(unchecked) private var members: [MemberChange]
  @exclusivity(unchecked) private var secrets: [SecretChange] = []
  /// The members that began to change since the last stamp.
  @exclusivity(unchecked) private var begun: [Int] = []
  /// The bytes of all members, each with a comma.
  @exclusivity(unchecked) private var sum = 0
  private var subscriptions: [Subscription] = []
  /// Told at the first change after a stamp, if this is the whole state.
  @exclusivity(unchecked) var didBegin: () -> Void = {}
  /// Set while somebody makes a change who looks at its end at what came of it, and need not be told.
  @exclusivity(unchecked) var isExpected = false

  /// - Parameter contents: what the members of the shape are here, in its order.
  init(_ shape: ObjectShape, showsKind: Bool = false, _ contents: [Content]) {
    self.shape = shape
    self.showsKind = showsKind
    places = contents.map { MemberPlace($0) }
    members = Array(repeating: MemberChange(), count: contents.count)
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
    // Most actions change a few, and where they are noted is to lie beside the rest.
    begun.reserveCapacity(min(contents.count, 8))
    secrets = shape.secrets.map { SecretChange(member: $0, wasPresent: isPresent($0)) }
    if showsKind { sum = #""kind":"","#.utf8.count + shape.kind.utf8.count }
    var scratch = JSONWriter(capacity: 256)
    for index in contents.indices {
      members[index].length = currentLength(index, &scratch)
      sum += Int(members[index].length)
    }
  }

  deinit { for place in places { place.release() } }

  // MARK: What changes

  func nodeDidChange(_ tag: Int) {
    if members[tag].next == MemberChange.settled { begun.append(tag) }
    members[tag].next = MemberChange.unmeasured
    begin()
  }

  func nodeIsEqual(_ tag: Int) {
    // Two texts of the state must not have one version.
    guard case .value(let node) = places[tag] else { return }
    let isRewritten = node._withUnsafeGuaranteedRef { node in
      shape.face(tag)._withUnsafeGuaranteedRef { $0.isRewritten(node) }
    }
    if isRewritten { nodeDidChange(tag) }
  }

  override func partDidBegin(_ part: StatePart) { nodeDidChange(part.tag) }

  override func announce() {
    if parent != nil { return super.announce() }
    if !isExpected { didBegin() }
  }

  override func stamp(_ revision: UInt64) -> Bool {
    guard takeBegun() else { return false }
    var isVisible = false
    var scratch = JSONWriter(capacity: 0)
    // Stamping may make rows, whose code may change something: that is of the next stamp.
    let count = begun.count
    for index in 0..<count {
      let member = begun[index]
      let measured = members[member].next
      members[member].next = MemberChange.settled
      let (length, isOther): (Int32, Bool)
      switch places[member] {
      case .part(let part):
        isOther = part._withUnsafeGuaranteedRef { $0.stamp(revision) }
        length = currentLength(member, &scratch)
      case .value:
        isOther = shape.secrets.isEmpty || stampSecret(member)
        length = measured >= 0 ? measured : currentLength(member, &scratch)
      }
      sum += Int(length - members[member].length)
      members[member].length = length
      guard isOther else { continue }
      members[member].changedAt = revision
      isVisible = true
    }
    begun.removeFirst(count)
    return isVisible
  }

  /// - Returns: whether the member is no secret, or the state has it now and had not, or the other way round: one set
  ///   secret after another shows no difference.
  private func stampSecret(_ member: Int) -> Bool {
    guard let index = secrets.firstIndex(where: { $0.member == member }) else { return true }
    let isPresent = isPresent(member)
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
    for case .part(let part) in places { part._withUnsafeGuaranteedRef { $0.detach() } }
  }

  /// Adds the part and what it knows of its members, but not those that are parts themselves.
  func addFootprint(to footprint: inout Footprint) {
    footprint.add(self)
    footprint.add(members)
    footprint.add(begun)
    footprint.add(places)
    if !secrets.isEmpty { footprint.add(secrets) }
  }

  // MARK: What it is

  override var length: Int { Self.length(sum) }

  /// Two braces, and no comma after the last member.
  private static func length(_ sum: Int) -> Int { sum == 0 ? 2 : sum + 1 }

  override func measure(_ scratch: inout JSONWriter) -> Int {
    guard hasBegun else { return length }
    var next = sum
    // By index, as the list would be kept alive for the loop.
    for index in begun.indices {
      let member = begun[index]
      if case .part(let part) = places[member] {
        let label = shape.label(member)._withUnsafeGuaranteedRef { $0.member.count }
        let length = part._withUnsafeGuaranteedRef { $0.measure(&scratch) }
        members[member].next = Int32(clamping: label + length + 1)
      } else if members[member].next < 0 {
        members[member].next = currentLength(member, &scratch)
      }
      next += Int(members[member].next - members[member].length)
    }
    return Self.length(next)
  }

  override func forgetBegun() {
    super.forgetBegun()
    for member in begun {
      members[member].next = MemberChange.settled
      if case .part(let part) = places[member] { part._withUnsafeGuaranteedRef { $0.forgetBegun() } }
    }
    begun.removeAll(keepingCapacity: true)
  }

  override func forgetMeasured() {
    for member in begun {
      members[member].next = MemberChange.unmeasured
      if case .part(let part) = places[member] { part._withUnsafeGuaranteedRef { $0.forgetMeasured() } }
    }
  }

  /// The bytes of a member's name, its value as it is now and a comma; of a part as of its last stamp.
  private func currentLength(_ member: Int, _ scratch: inout JSONWriter) -> Int32 {
    let label = shape.label(member)._withUnsafeGuaranteedRef { $0.member.count }
    switch places[member] {
    case .part(let part): return Int32(clamping: label + part._withUnsafeGuaranteedRef { $0.length } + 1)
    case .value(let node):
      return node._withUnsafeGuaranteedRef { node in
        shape.face(member)._withUnsafeGuaranteedRef { face in
          if let isPresent = face.isPresent, !isPresent(node) { return 0 }
          return Int32(clamping: label + scratch.length { face.write(node, &$0) } + 1)
        }
      }
    }
  }

  private func isPresent(_ member: Int) -> Bool {
    guard case .value(let node) = places[member] else { return true }
    return node._withUnsafeGuaranteedRef { node in
      shape.face(member)._withUnsafeGuaranteedRef { $0.isPresent?(node) } ?? true
    }
  }

  override func write(to writer: inout JSONWriter) {
    writer.beginObject()
    if showsKind {
      writer.key("kind")
      writer.string(shape.kind)
    }
    for member in places.indices where isPresent(member) {
      shape.label(member)._withUnsafeGuaranteedRef { writer.rawPrefix($0.member) }
      write(member, to: &writer)
    }
    writer.endObject()
  }

  private func write(_ member: Int, to writer: inout JSONWriter) {
    switch places[member] {
    case .value(let node):
      node._withUnsafeGuaranteedRef { node in shape.face(member)._withUnsafeGuaranteedRef { $0.write(node, &writer) } }
    case .part(let part): part._withUnsafeGuaranteedRef { $0.write(to: &writer) }
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
    switch places[member] {
    case .part(let part): return part._withUnsafeGuaranteedRef { $0.write(at: path.dropFirst(), to: &writer) }
    case .value:
      guard path.count == 1, !secrets.contains(where: { $0.member == member }) else { return false }
      write(member, to: &writer)
      return true
    }
  }

  override func writePatch(since: UInt64, at path: inout [UInt8], to writer: inout JSONWriter) -> Bool {
    for member in places.indices where members[member].changedAt > since {
      let label = shape.label(member)
      switch places[member] {
      case .part(let part):
        let segment = label._withUnsafeGuaranteedRef { $0.segment }
        part._withUnsafeGuaranteedRef { $0.writeChange(since: since, at: &path, segment, to: &writer) }
      case .value(let node):
        node._withUnsafeGuaranteedRef { node in
          shape.face(member)._withUnsafeGuaranteedRef { face in
            label._withUnsafeGuaranteedRef { label in
              if face.isPresent != nil {
                return writeSecret(member, face, node, since: since, path, label.segment, to: &writer)
              }
              writer.operation(.replace, path, label.segment) { face.write(node, &$0) }
            }
          }
        }
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
