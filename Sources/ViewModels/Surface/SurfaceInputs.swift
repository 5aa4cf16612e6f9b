// SPDX-License-Identifier: MIT

/// What the entries of a surface take, by their names.
struct SurfaceInputs: Sendable {
  private let all: [AnyInput]
  /// The same, not counted, as all sessions have them in common.
  private let uncounted: [Unmanaged<AnyInput>]

  init(_ all: [AnyInput]) {
    self.all = all
    uncounted = all.map { .passUnretained($0) }
  }

  var names: [String] { all.map(\.name) }

  /// What a path may begin with, for who gave another.
  var expected: [String] { all.map { $0.isPart ? $0.name + "/…" : $0.name } }

  /// - Returns: `nil` if no entry takes what is asked of this path.
  func receive(
    _ request: SurfaceRequest, _ path: ArraySlice<String>, _ model: AnyObject
  ) throws(SurfaceError) -> PreparedChange? {
    guard let name = path.first else { return nil }
    for input in uncounted where input._withUnsafeGuaranteedRef({ $0.name.isName(name) }) {
      let change = input._withUnsafeGuaranteedRef { input -> Result<PreparedChange, SurfaceError>? in
        guard input.isPart || path.count == 1 else { return nil }
        do throws(SurfaceError) { return .success(try input.receive(model, request, path.dropFirst())) } catch {
          return .failure(error)
        }
      }
      return try change?.get()
    }
    return nil
  }
}

/// What an entry of a surface takes, whatever the type of the view model: going through an array of a generic type asks
/// the runtime for that type each time.
final class AnyInput: Sendable {
  let name: String
  let isPart: Bool
  let receive: @Sendable (AnyObject, SurfaceRequest, ArraySlice<String>) throws(SurfaceError) -> PreparedChange

  init(
    name: String, isPart: Bool,
    receive: @escaping @Sendable (AnyObject, SurfaceRequest, ArraySlice<String>) throws(SurfaceError) -> PreparedChange
  ) {
    (self.name, self.isPart, self.receive) = (name, isPart, receive)
  }
}
