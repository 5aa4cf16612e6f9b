// SPDX-License-Identifier: MIT
import JSONPatching
import ObservableCore

/// A stored state that is to be put back into a view model.
struct StateToPutBack {
  let state: JSON
  let schema: UInt32
  /// Notes of the events of a trial; `nil` otherwise.
  var notes: RestorationNotes?
}

/// A living view model of a known type, with its graph and its state.
final class Hosted<Model: ViewModel>: HostedModel, TransactionCheck {
  let graph = Graph()
  let model: Model
  var viewModel: any ViewModel { model }
  let surface: Surface<Model>
  let state: ObjectPart
  /// The place where the addresses begin.
  let home: AddressHome
  /// The address; `nil` for a view model that has nothing in it.
  let livingAddress: LivingAddress<Model>?
  /// The context; `nil` for a view model made without one.
  let context: SessionContext?
  /// The parts in which it is stored; `nil` if it has none.
  private var parts: PartsKeeper?
  /// The whole state; like a part it is told of its changes.
  let whole = WholeState()
  var stateLimit = Int.max
  /// The bytes of its secrets, as of the last stamp.
  private var secretBytes = 0
  /// The bytes of the object that was last stored, without the parts beside it.
  private var storedBytes = 0
  /// The bytes of the parameters that the context keeps.
  private let paramsBytes: Int
  var database: (any DatabaseSource)?
  /// Whether an action may change stored variables, which the graph does not put back.
  let mayHaveVariables: Bool
  /// The values of the stored variables before each of the changes that are being made.
  var variables: [StoredVariables] = []
  /// Whether the state had begun to change before the present transaction.
  var hadBegun = false

  /// - Parameters:
  ///   - origin: the session, and the address at which the view model begins.
  ///   - audiences: in a room, the audiences of the surface's entries.
  ///   - mayHaveVariables: whether an action may change stored variables.
  ///   - stored: the state to put back, and its schema.
  init(
    _ make: (SessionContext?) throws -> Model, for origin: SessionOrigin, hasContext: Bool, home: AddressHome,
    audiences: [Audience] = [], mayHaveVariables: Bool, stored: StateToPutBack? = nil
  ) throws {
    let surface = Model.surface
    let address = try origin.address.map(home.read)
    graph.awaitsIsolation = true
    let context =
      hasContext
      ? graph.enter { SessionContext(of: origin, model: surface.name, params: surface.params, home: home) } : nil
    if let context {
      graph.attachments.context = context
      (context.canWake, context.hasTimers) = (surface.timers.wake != nil, !surface.timers.isEmpty)
      context.audiences = audiences
      if origin.owner == .room { whole.context = context }
    }
    let (model, living) = try ViewModelFailure.wrapping { [graph] in
      try graph.enter {
        if let address { return try Self.make(at: address, home: home) { try make(context) } }
        let model = try transaction(.undo) { try make(context) }
        return (model, LivingAddress(model, home: home))
      }
    }
    self.context = context
    self.home = home
    self.mayHaveVariables = mayHaveVariables
    paramsBytes = context == nil ? 0 : Self.bytes(of: origin.visitor.params)
    self.surface = surface
    self.model = model
    livingAddress = living
    if let living { context?.addressing = { [weak model] in living.text(of: model, at: $0) } }
    if let stored {
      let restoration = Restoration(notes: stored.notes)
      try graph.enter { [graph] in
        try restoration.run { try model.putBack(stored.state, schema: stored.schema, restoration) }
        if let notes = stored.notes {
          // As if the view model lived: a list tells only then which rows of its making have gone.
          graph.awaitsIsolation = false
          defer { graph.awaitsIsolation = true }
          try notes.note { model.writeStored(nil, isTop: true, to: &$0) }
        }
        try restoration.tellLosses(of: model)
      }
    }
    // To show a list may make its rows.
    state = graph.enter { model.part }
    state.join(whole)
    secretBytes = graph.secretBytes
    storedBytes = Self.bytes(of: stored?.state)
    try beginTimers(stored == nil ? nil : origin.timers)
  }

  deinit { close() }

  func close() {
    // An observer that is told of a cancelled run may make nodes.
    graph.enter { graph.close() }
    whole.didBegin = {}
    parts = nil
    // A watched value may belong to no graph.
    state.detach()
  }

  func live(in isolation: any Actor, runWatcher: any CommandRunWatcher, didChange: @escaping () -> Void) {
    graph.runWatcher = runWatcher
    whole.didBegin = didChange
    // Rows that were made when they were shown may have written to a part that was shown already.
    if state.hasBegun { didChange() }
    // This comes last: commands that wait for the isolation begin now.
    graph.enter { graph.isolation = isolation }
  }

  func enter(_ body: () -> Void) { graph.enter(body) }

  var stateLength: Int { state.length }

  /// Bytes of memory: of a view model without nodes, of a node or observer with its part of the state, and of a
  /// byte of a text. They are a little high, by the sessions that `make bench` measures.
  private static var bytes: (model: Int, member: Int, text: Int) { (4_096, 256, 4) }

  var memoryBytes: Int {
    // A value that is stored and not shown is in memory too. Most values are both, so the longer text counts.
    let text = max(stateLength, storedBytes) + secretBytes + paramsBytes
    return Self.bytes.model + graph.memberCount * Self.bytes.member + text * Self.bytes.text + (parts?.bytes ?? 0)
  }

  private static func bytes(of json: JSON?) -> Int {
    guard let json else { return 0 }
    var writer = JSONWriter()
    writer.json(json)
    return writer.count
  }

  func stamp(_ revision: UInt64) -> Bool {
    graph.enter {
      defer { secretBytes = graph.secretBytes }
      return state.stamp(revision)
    }
  }

  func writeState(to writer: inout JSONWriter) { state.write(to: &writer) }

  func writeValue(at path: [String], to writer: inout JSONWriter) -> Bool { state.write(at: path[...], to: &writer) }

  func lastChange(at path: [String]) -> UInt64? { state.lastChange(at: path[...]) }

  func writeResult(at path: [String], to writer: inout JSONWriter) -> Bool {
    // Most actions have no member in the state.
    guard let name = path.first, state.shape.index(of: name) != nil else { return false }
    return writeValue(at: path + ["result"], to: &writer)
  }

  func writePatch(since: UInt64, to writer: inout JSONWriter) {
    var path: [UInt8] = []
    _ = state.writePatch(since: since, at: &path, to: &writer)
  }

  func writeStored(to writer: inout JSONWriter) { graph.enter { model.writeStored(nil, isTop: true, to: &writer) } }

  func writeStoredMain(isWhole: Bool, to writer: inout JSONWriter) -> PartsChange {
    graph.enter {
      let keeper = parts ?? PartsKeeper()
      let before = writer.count
      model.writeStored(keeper, isTop: true, to: &writer)
      storedBytes = writer.count - before
      parts = keeper.isEmpty ? nil : keeper
      return keeper.takeChange(isWhole: isWhole)
    }
  }

  var storedPartCount: Int { parts?.count ?? 0 }

  var storedPartBytes: Int { parts?.textBytes ?? 0 }

  func noteStored(_ stored: [[UInt8]: [UInt8]]) {
    if !stored.isEmpty { parts = PartsKeeper(stored: stored) }
  }

  func interrupt() throws {
    try graph.enter {
      var losses = RestartLosses()
      model.addLosses(to: &losses)
      try ViewModelFailure.wrapping { try transaction(.undo) { for secret in losses.secrets { try secret.set("") } } }
      try losses.interrupt()
    }
  }

  struct StateTooLong: Error {
    let error: SurfaceError
  }

  /// Refuses a transaction that makes the state with its secrets longer than its limit. A state that is too long
  /// already may not become longer.
  func checkTransaction() throws {
    guard state.hasBegun else { return }
    let length = state.measure() + graph.secretBytes
    guard length > stateLimit, length > state.length + secretBytes else { return }
    // It has to happen here, where all changes are the transaction's: code that runs for its undoing may write
    // as well.
    if !hadBegun { state.forgetBegun() }
    throw StateTooLong(error: .stateTooLong(length: length, limit: stateLimit))
  }
}
