// SPDX-License-Identifier: MIT
import JSONPatching
import Sessions
import ViewModels

/// The changes that a request asks for, and the form of their refusal (PROTOCOL §3, §4).
///
/// It is one change, which the path and the method name, or a batch. A batch is one object or an array of
/// `{"set":…,"value":…}`, which may have an `"ifMatch"`, `{"do":…,"value":…}`, `{"cancel":…}` and `{"address":…}`.
package struct ChangeBody: Sendable {
  package static let maxEntries = 64

  private enum Verb: String, CaseIterable {
    case set, `do`, cancel, address
  }

  /// A fault of an entry: its place in the entry, and its text.
  private struct Fault: Error {
    let pointer: String
    let detail: String
  }

  private enum Form {
    case single, object, array
  }

  /// The changes; `nil` for each malformed one.
  private(set) var changes: [Change?] = []
  /// The conditions on the values that are set, by the changes' indices; empty if no entry has one.
  private(set) var values: [Precondition.Tags?] = []
  /// The faults of the malformed changes.
  private(set) var faults: [Problem.Part] = []
  private let form: Form

  /// Whether the frame has a list of results.
  var isList: Bool { form != .single }

  /// One change, which the path and the method name.
  init(_ change: Change) {
    changes = [change]
    form = .single
  }

  /// Reads the changes of a batch.
  ///
  /// - Throws: `invalid-action`, if the body is neither an object nor an array of 1 to 64 entries. Faults of
  ///   entries are in `faults`.
  init(batch body: JSON?) throws {
    let elements: [JSON]
    switch body {
    case .array(let array)?:
      guard (1...Self.maxEntries).contains(array.count) else {
        throw Problem(.invalidAction, "expected 1 to \(Self.maxEntries) actions, got \(array.count)", pointer: "")
      }
      (elements, form) = (array, .array)
    case .object?: (elements, form) = ([body].compactMap(\.self), .object)
    default:
      throw Problem(
        .invalidAction, "expected an action, or an array of actions: \(Self.forms)", pointer: "")
    }
    for (index, element) in elements.enumerated() {
      do throws(Fault) {
        let (change, version) = (try Self.change(element), try Self.version(element))
        changes.append(change)
        if let version { values += Array(repeating: nil, count: index - values.count) + [.versions([version])] }
      } catch {
        changes.append(nil)
        faults.append(Problem.Part(pointer: pointer(index) + error.pointer, detail: error.detail))
      }
    }
  }

  /// The problem for a refusal of the changes; `nil` for any other error. For a batch, it names each refused
  /// entry.
  func problem(of error: any Error) -> Problem? {
    if case SessionError.valuesChanged(let conflicts, let version) = error {
      return problem(of: conflicts, at: version)
    }
    guard let refused = error as? ChangesRefused else { return nil }
    if form == .single, let refusal = refused.refusals.first { return Problem(refusal.error) }
    let kinds = Set(refused.refusals.map { Problem($0.error).kind } + (faults.isEmpty ? [] : [.invalidAction]))
    let parts = refused.refusals.map { (index, error) in
      Problem.Part(pointer: pointer(index) + Self.pointer(to: error, in: changes[index]), detail: "\(error)")
    }
    let all = (faults + parts).sorted { Self.index(of: $0) < Self.index(of: $1) }
    let detail =
      all.count == 1 ? all[0].detail : "\(all.count) of \(changes.count) actions are refused, so none was applied"
    var problem = Problem(kinds.count == 1 ? kinds.first ?? .invalidAction : .invalidAction, detail)
    problem.errors = all
    return problem
  }

  /// The problem of values that were changed before: that of one value has the value in it.
  private func problem(of conflicts: [ValueConflict], at version: Version) -> Problem {
    var problem = Problem(SessionError.valuesChanged(conflicts, at: version))
    if form == .single {
      // A sender who may not read the value, such as a secret, is told of none.
      problem.members = conflicts.first?.present.map { [("value", $0)] } ?? []
    } else {
      problem.errors = conflicts.map {
        Problem.Part(pointer: pointer($0.index) + "/ifMatch", detail: $0.description, value: $0.present)
      }
    }
    return problem
  }

  private func pointer(_ index: Int) -> String { form == .array ? "/\(index)" : "" }

  private static func index(of part: Problem.Part) -> Int {
    Int(part.pointer.dropFirst().prefix { $0 != "/" }) ?? 0
  }

  /// The place in an entry that is the reason for its refusal.
  private static func pointer(to error: SurfaceError, in change: Change?) -> String {
    if case .mismatch(let mismatch) = error, change?.isOfAddress == false { return "/value\(mismatch.pointer)" }
    return switch change?.verb {
    case .set?: "/set"
    case .perform?: "/do"
    case .cancel?: "/cancel"
    case .address?: "/address"
    case .prefer?, .uploads?, nil: ""
    }
  }

  private static let forms =
    #"{"set":"/path","value":…}, {"do":"/path","value":…}, {"cancel":"/path"} or {"address":"/page"}"#

  /// The version since which the value of an entry must not have changed; `nil` for none.
  private static func version(_ entry: JSON) throws(Fault) -> Version? {
    switch entry["ifMatch"] {
    case nil: return nil
    case .string(let text)?:
      // A version, or the tag that has it.
      let isTag = text.count > 1 && text.hasPrefix("\"") && text.hasSuffix("\"")
      if let version = Version(ofTag: isTag ? text.dropFirst().dropLast() : text[...]) { return version }
    default: break
    }
    throw Fault(pointer: "/ifMatch", detail: "expected a version or its tag, such as \"k7q2mzx4.12\"")
  }

  private static func change(_ element: JSON) throws(Fault) -> Change {
    guard case .object(let members) = element else { throw Fault(pointer: "", detail: "expected \(forms)") }
    let verbs = members.filter { Verb(rawValue: $0.name) != nil }
    guard verbs.count == 1, let member = verbs.first, let verb = Verb(rawValue: member.name) else {
      let expected = Verb.allCases.map(\.rawValue).joined(separator: ", ")
      throw Fault(pointer: "", detail: "expected just one of: \(expected); got \(verbs.count)")
    }
    let known = [member.name, "value"] + (verb == .set ? ["ifMatch"] : [])
    if let unknown = members.first(where: { !known.contains($0.name) }) {
      throw Fault(
        pointer: JSONPointer([unknown.name]).description,
        detail: "no member '\(unknown.name)' in an action; expected one of: \(known.joined(separator: ", "))")
    }
    let value = element["value"]
    if verb == .address {
      if value != nil { throw Fault(pointer: "/value", detail: "no member 'value' beside 'address'") }
      return .address(member.value)
    }
    guard case .string(let text) = member.value, let pointer = JSONPointer(text), !pointer.tokens.isEmpty else {
      throw Fault(
        pointer: "/\(member.name)", detail: "expected a JSON Pointer, such as \"/username\"")
    }
    switch (verb, value) {
    case (.set, let value?): return .set(pointer.tokens, value)
    case (.set, nil): throw Fault(pointer: "", detail: "expected a 'value' beside 'set'")
    case (.do, _): return .perform(pointer.tokens, value)
    case (.cancel, nil): return .cancel(pointer.tokens)
    case (.cancel, _?): throw Fault(pointer: "/value", detail: "no member 'value' beside 'cancel'")
    case (.address, _): return .address(member.value)
    }
  }
}
