// SPDX-License-Identifier: MIT
public import JSONPatching
public import ViewModels

/// Checks that a view model comes back from its stored state unchanged, with its hidden values.
///
/// ```swift
/// @Test func `a list of things to do survives a restart`() async throws {
///   try await expectRestorable { TodoViewModel() }
/// }
/// ```
///
/// Each round has three parts:
///
/// 1. The check makes random changes, as clients can, and stores the state.
/// 2. It makes a second view model from the stored state. In the first one it does what a restart does: secrets become
///    empty, and commands that are executing fail (`HostedModel.interrupt()`). Now both must show and store the same.
/// 3. It makes the same further changes in both. After each one both must show and store the same. A difference here
///    is of a value that is not shown and was lost, most often a variable without `.stored("name", \.variable)`.
///
/// The next round goes on with the second view model; each third round begins with a new view model instead.
///
/// Each command is also interrupted once by itself. Take a value that the command writes before it waits, and writes
/// again at its end. After an interruption it must not be left as it was in between: `didInterrupt(_:)` corrects it.
///
/// The view model must be deterministic: the same changes must lead to the same state. In every second round the check
/// waits for the commands after each change. In the others it stores the state while most of them are executing. Let
/// the services that they await answer soon.
///
/// A value that follows something outside of the session, such as a state that sessions share, may change a little
/// later. So a difference counts only if it stays for about a second. Both view models act on the same shared state:
/// leave out actions that it takes only once.
///
/// Actions that take a `DatabaseTransaction` are left alone: test these with `ModelDriver`. A service that reads a
/// ``TestDatabase`` by its ``TestDatabase/app`` reads it here too.
///
/// - Parameters:
///   - rounds: the number of restarts.
///   - steps: the most changes before each restart, and the number of changes after it.
///   - seed: chooses the changes: the same seed makes the same ones. Another one makes others.
///   - without: names of entries that are left alone, because their effects reach beyond the view model.
///   - texts: texts with a meaning for the view model, which are sent now and then.
/// - Throws: ``NotRestorable``, the error of making or restoring, or `CancellationError` if the task was cancelled.
public func expectRestorable<Model: ViewModel>(
  rounds: Int = 16, steps: Int = 25, seed: UInt64 = 1, without: Set<String> = [],
  texts: [String] = [], _ make: @escaping @Sendable () throws -> Model
) async throws {
  try await expectRestorable(
    .hosting(at: "/\(Model.surface.name)", make), rounds: rounds, steps: steps,
    RandomSteps(seed: seed, without: without, texts: texts), by: Visitor())
}

/// The same for a view model that knows its session.
///
/// ```swift
/// try await expectRestorable(as: User(id: "7", roles: ["owner"])) { Board($0) }
/// ```
///
/// Actions may sign users in and out. The restarted view model has the user whom the first one had. The session's
/// clock stands still, so no timer acts, and timers are kept.
///
/// - Parameters:
///   - user: the user who has signed in; `nil` for nobody.
///   - params: the parameters of the session; they have to fit.
///   - languages: the languages that the client prefers.
///   - timeZone: the name of the client's time zone.
public func expectRestorable<Model: ViewModel>(
  rounds: Int = 16, steps: Int = 25, seed: UInt64 = 1, without: Set<String> = [],
  texts: [String] = [], as user: User? = nil, params: JSON? = nil, languages: [String] = [], timeZone: String? = nil,
  _ make: @escaping @Sendable (SessionContext) throws -> Model
) async throws {
  try await expectRestorable(
    .hosting(at: "/\(Model.surface.name)", make), rounds: rounds, steps: steps,
    RandomSteps(seed: seed, without: without, texts: texts),
    by: Visitor(user: user, languages: languages, timeZone: timeZone, isLocal: true, params: params))
}

private func expectRestorable(
  _ type: HostedModelType, rounds: Int, steps count: Int, _ steps: RandomSteps, by visitor: Visitor
) async throws {
  if let fault = type.faults(of: visitor.params).first { throw SurfaceError.mismatch(fault) }
  var session = SessionOrigin(id: "a session", client: "a client", visitor: visitor)
  let now = Moment.now
  session.clock = { now }
  var trial = RestoringTrial(
    type: type, session: session, steps: steps, original: try await LivingModel(type, for: session))
  for _ in 0..<rounds {
    // First, since a restart may leave the very value behind that this looks for; the new value then hides it.
    try await trial.interruptCommands()
    try await trial.restart(after: count)
  }
}

/// The error for a view model that a restart would change.
public struct NotRestorable: Error, CustomStringConvertible {
  public let description: String
}

/// A view model, and the one that was made from its stored state.
private struct RestoringTrial {
  let type: HostedModelType
  let session: SessionOrigin
  var steps: RandomSteps
  var original: LivingModel
  /// The steps of the original since it was made.
  var done: [String] = []
  var round = 0
  /// The paths of the commands that were interrupted by themselves, with `*` for the key of a row.
  var interrupted: Set<[String]> = []

  mutating func restart(after count: Int) async throws {
    round += 1
    // A step that can be taken once in a life is taken in some of several rounds.
    if round % 3 == 1 { (original, done) = (try await LivingModel(type, for: session), []) }
    let waits = round % 2 == 0
    // Sometimes there are few, so that later steps do not always cover a first or a last one.
    for _ in 0..<steps.number(in: 0...count) {
      guard let step = await steps.next(type.description, in: original.state) else { break }
      done.append(Self.words(step))
      _ = await original.take(step)
      // Most of the commands that were begun should be executing when the state is stored.
      if waits || steps.number(in: 0...3) == 0 { await original.settled() }
      try Task.checkCancellation()
    }
    if let fault = await original.storingFault() { throw failure("what it stores cannot be put back: \(fault)", []) }
    let (text, session) = try await original.storeAndInterrupt()
    let restored: LivingModel
    do { restored = try await LivingModel(type, for: session, stored: LivingModel.read(text)) } catch {
      throw failure("what it stored cannot be put back: \(error)", text)
    }
    await original.settled()
    await restored.settled()
    try Task.checkCancellation()
    try await compare(restored, "right after the restart", text)
    for number in 1...max(1, count) {
      guard let step = await steps.next(type.description, in: original.state) else { break }
      let (one, other) = await (original.take(step), restored.take(step))
      await original.settled()
      await restored.settled()
      try Task.checkCancellation()
      let place = "at the step \(number) after the restart, \(Self.words(step)),"
      for model in [original, restored] {
        if let fault = await model.storingFault() {
          throw failure("\(place) it stores what cannot be put back: \(fault)", text)
        }
      }
      if one != other { throw failure("\(place): expected \(one ?? "no error"), got \(other ?? "none")", text) }
      try await compare(restored, place, text)
    }
    (original, done) = (restored, [])
  }

  /// Interrupts each command that the state has, and that was not interrupted before.
  mutating func interruptCommands() async throws {
    let text = await original.storedText
    for step in await steps.commands(type.description, in: original.state) {
      var name = step.path
      for index in name.indices.dropFirst() where name[index - 1] == "items" { name[index] = "*" }
      if interrupted.contains(name) { continue }
      let (ended, cut) = (try await again(text), try await again(text))
      let before = Self.values(await cut.state, beside: step.path)
      // One that may not start now may do so in a later round.
      guard let states = try await cut.interrupt(step) else { continue }
      interrupted.insert(name)
      let same = Self.values(await ended.begin(step) ?? .null, beside: step.path)
      await ended.settled()
      try Task.checkCancellation()
      let during = Self.values(states.during, beside: step.path)
      let after = Self.values(states.after, beside: step.path)
      let atEnd = Self.values(await ended.state, beside: step.path)
      for (path, value) in during.sorted(by: { $0.key < $1.key }) {
        // A value that is another one each time follows something outside, such as shared state.
        guard before[path] != value, same[path] == value else { continue }
        guard let end = atEnd[path], end != value, after[path] == value else { continue }
        throw failure(
          """
          '\(path)' is \(value) while '\(JSONPointer(step.path))' is at work and \(end) at its end, and an interruption \
          leaves it at \(value); expected 'didInterrupt("\(step.path.last ?? "")")' to mend it, or the command in 'without:' if it is right so
          """, text)
      }
    }
  }

  private func again(_ text: [UInt8]) async throws -> LivingModel {
    try await LivingModel(type, for: session, stored: LivingModel.read(text))
  }

  /// The single values of a state by their paths, without those of one command.
  private static func values(_ state: JSON, _ path: [String] = [], beside command: [String]) -> [String: JSON] {
    switch state {
    case _ where path == command, .array: [:]
    case .object(let members):
      members.reduce(into: [:]) { $0.merge(values($1.value, path + [$1.name], beside: command)) { one, _ in one } }
    case .null, .bool, .integer, .number, .string: ["\(JSONPointer(path))": state]
    }
  }

  /// The number of looks that find a difference before it counts, 5 ms apart: a second. Looks are counted, and not
  /// the time, since on a busy machine the looks are late when what is followed is late.
  private static let patience = 200

  private func compare(_ restored: LivingModel, _ place: String, _ text: [UInt8]) async throws {
    var looks = 0
    while let fault = await difference(from: restored) {
      looks += 1
      if looks > Self.patience || Task.isCancelled { throw failure("\(place) \(fault)", text) }
      // The tasks of a view model end when they like, and nothing tells of that.
      try? await Task.sleep(for: .milliseconds(5))
    }
  }

  private func difference(from restored: LivingModel) async -> String? {
    let shown = await Self.differences(original.state, restored.state, [])
    if !shown.isEmpty { return "it shows something else:\n\(shown.joined(separator: "\n"))" }
    let stored = await Self.differences(original.stored, restored.stored, [])
    return stored.isEmpty ? nil : "it stores something else:\n\(stored.joined(separator: "\n"))"
  }

  private func failure(_ what: String, _ text: [UInt8]) -> NotRestorable {
    NotRestorable(
      description: """
        '\(type.name)' is not restored as it was (seed \(steps.seed), restart \(round)): \(what)
        It was made from: \(String(decoding: text, as: UTF8.self))
        Done before: \(done.joined(separator: "; "))
        If something it remembers is not part of what is stored, its surface can say '.stored("name", \\.property)'. If that \
        follows its values outside of the graph, as a cache or the model of a binding does, it can be brought in step in \
        'didRestore()'. If a list follows something outside of the session, its entry can have a closure that makes a row again, \
        and the row '.stored' of what it shows.
        """)
  }

  private static func words(_ step: Change) -> String {
    let path = JSONPointer(step.path)
    return switch step.verb {
    case .perform(let value): "perform \(path)\(value.map { " \($0)" } ?? "")"
    case .set(let value): "set \(path) to \(value)"
    case .cancel: "cancel \(path)"
    case .address(let address): "go to \(address)"
    case .prefer(let languages, let timeZone): "prefer \(languages ?? []), \(timeZone ?? "no time zone")"
    case .uploads: "send a file to \(path)"
    }
  }

  private static func differences(_ expected: JSON, _ found: JSON, _ path: [String]) -> [String] {
    if expected == found { return [] }
    guard case .object(let before) = expected, case .object(let after) = found else {
      return ["  \(JSONPointer(path)): expected \(expected), got \(found)"]
    }
    let names = before.map(\.name) + after.map(\.name).filter { expected[$0] == nil }
    return names.flatMap { name -> [String] in
      guard let expected = expected[name], let found = found[name] else {
        let words = [expected[name].map(\.description) ?? "nothing", found[name].map(\.description) ?? "nothing"]
        return ["  \(JSONPointer(path + [name])): expected \(words[0]), got \(words[1])"]
      }
      return differences(expected, found, path + [name])
    }
  }
}
