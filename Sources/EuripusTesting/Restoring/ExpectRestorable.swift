// SPDX-License-Identifier: MIT
import JSONPatching
public import ViewModels

/// Checks that a view model comes back from its stored state as it was, with its hidden values.
///
/// ```swift
/// @Test func `a list of things to do survives a restart`() async throws {
///   try await expectRestorable { TodoViewModel() }
/// }
/// ```
///
/// It does at random what clients can do, stores the state, and makes another view model from that, which must show the
/// same. See `HostedModel.interrupt()` for the things that a restart does change. Then it does with both the same, and they
/// must go on showing the same: one that has forgotten something it does not show is found so, most often a variable
/// without `.stored("name", \.variable)`. The other one is restarted in turn, or a new one is begun with.
///
/// The view model must be one that does the same again if the same is done to it. Its commands are waited for in every
/// second round, and interrupted in the others: let the services that they await answer soon.
///
/// - Parameters:
///   - rounds: how many restarts.
///   - steps: how many things are done before each, at most, and after it.
///   - seed: to repeat a failure, which names it; by default another each time.
///   - without: names of entries that are left alone, because their effects reach beyond the view model.
///   - texts: texts that mean something to the view model, to be sent now and then.
/// - Throws: ``NotRestorable``, or the error of making or restoring.
public func expectRestorable<Model: ViewModel>(
  rounds: Int = 16, steps: Int = 25, seed: UInt64 = .random(in: 0...999_999), without: Set<String> = [],
  texts: [String] = [], _ make: @escaping @Sendable () throws -> Model
) async throws {
  let type = HostedModelType.hosting(at: "/\(Model.surface.name)", make)
  var trial = RestoringTrial(
    type: type, seed: seed, steps: RandomSteps(seed: seed, without: without, texts: texts),
    original: try await LivingModel(type))
  for _ in 0..<rounds { try await trial.restart(after: steps) }
}

/// A view model that a restart would change.
public struct NotRestorable: Error, CustomStringConvertible {
  public let description: String
}

/// A view model and the one that was made from its stored state.
private struct RestoringTrial {
  let type: HostedModelType
  let seed: UInt64
  var steps: RandomSteps
  var original: LivingModel
  /// The steps that the original has taken since it was made.
  var done: [String] = []
  var round = 0

  mutating func restart(after count: Int) async throws {
    round += 1
    // A step that cannot be taken twice in a life is taken in some of several.
    if round % 3 == 1 { (original, done) = (try await LivingModel(type), []) }
    let waits = round % 2 == 0
    // At times few, so that a first or last step is not always covered by later ones.
    for _ in 0..<steps.number(in: 0...count) {
      guard let step = await steps.next(type.description, in: original.state) else { break }
      done.append(Self.words(step))
      _ = await original.take(step)
      // Most of the commands that were begun are to be at work when the state is stored.
      if waits || steps.number(in: 0...3) == 0 { await original.settled() }
    }
    if let fault = await original.storingFault() { throw failure("what it stores cannot be put back: \(fault)", []) }
    let text = try await original.storeAndInterrupt()
    let restored: LivingModel
    do { restored = try await LivingModel(type, stored: LivingModel.read(text)) } catch {
      throw failure("what it stored cannot be put back: \(error)", text)
    }
    await original.settled()
    await restored.settled()
    try await compare(restored, "right after the restart", text)
    for number in 1...max(1, count) {
      guard let step = await steps.next(type.description, in: original.state) else { break }
      let (one, other) = await (original.take(step), restored.take(step))
      await original.settled()
      await restored.settled()
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

  private func compare(_ restored: LivingModel, _ place: String, _ text: [UInt8]) async throws {
    let shown = await Self.differences(original.state, restored.state, [])
    if !shown.isEmpty { throw failure("\(place) it shows something else:\n\(shown.joined(separator: "\n"))", text) }
    let stored = await Self.differences(original.stored, restored.stored, [])
    if !stored.isEmpty { throw failure("\(place) it stores something else:\n\(stored.joined(separator: "\n"))", text) }
  }

  private func failure(_ what: String, _ text: [UInt8]) -> NotRestorable {
    NotRestorable(
      description: """
        '\(type.name)' is not restored as it was (seed \(seed), restart \(round)): \(what)
        To do the same again: 'expectRestorable(seed: \(seed))'.
        It was made from: \(String(decoding: text, as: UTF8.self))
        Done before: \(done.joined(separator: "; "))
        If something it remembers is not part of what is stored, its surface can say '.stored("name", \\.property)'. If that \
        follows its values outside of the graph, as a cache or the model of a binding does, it can be brought in step in \
        'didRestore()'. If a list follows something outside of the session, its entry can say '.orderNotStored()'.
        """)
  }

  private static func words(_ step: Change) -> String {
    let path = JSONPointer(step.path)
    return switch step.verb {
    case .perform(let value): "perform \(path)\(value.map { " " + text($0) } ?? "")"
    case .set(let value): "set \(path) to \(text(value))"
    case .cancel: "cancel \(path)"
    case .address(let address): "go to \(text(address))"
    case .prefer(let languages, let timeZone): "prefer \(languages ?? []), \(timeZone ?? "no time zone")"
    }
  }

  private static func text(_ json: JSON) -> String {
    var writer = JSONWriter()
    writer.json(json)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  private static func differences(_ expected: JSON, _ found: JSON, _ path: [String]) -> [String] {
    if expected == found { return [] }
    guard case .object(let before) = expected, case .object(let after) = found else {
      return ["  \(JSONPointer(path)): expected \(text(expected)), got \(text(found))"]
    }
    let names = before.map(\.name) + after.map(\.name).filter { expected[$0] == nil }
    return names.flatMap { name -> [String] in
      guard let expected = expected[name], let found = found[name] else {
        let words = [expected[name].map(text) ?? "nothing", found[name].map(text) ?? "nothing"]
        return ["  \(JSONPointer(path + [name])): expected \(words[0]), got \(words[1])"]
      }
      return differences(expected, found, path + [name])
    }
  }
}
