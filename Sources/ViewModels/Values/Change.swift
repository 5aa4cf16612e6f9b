// SPDX-License-Identifier: MIT
public import JSONPatching

/// One thing that a client asks of a view model: to set, do, cancel, and so on (PROTOCOL §3, §4).
public struct Change: Sendable {
  public enum Verb: Sendable {
    /// Sets a two-way value or a secret.
    case set(JSON)
    /// Performs an action or starts a command; `nil` stands for an empty body.
    case perform(JSON?)
    /// Cancels a command; an idle command stays as it is.
    case cancel
    /// Sets the address of the view model's page, and so all values in it.
    case address(JSON)
    /// Tells the languages and the time zone that the client prefers. A `nil` leaves the preference as it was.
    case prefer(languages: [String]?, timeZone: String?)
    /// Looks at the files of an ``Uploads``, or changes them.
    case uploads(UploadVisit)
  }

  public let verb: Verb
  /// The tokens of a JSON Pointer, unescaped.
  public let path: [String]

  public init(_ verb: Verb, _ path: [String]) {
    self.verb = verb
    self.path = path
  }

  public static func set(_ path: [String], _ value: JSON) -> Change { Change(.set(value), path) }
  public static func perform(_ path: [String], _ value: JSON? = nil) -> Change { Change(.perform(value), path) }
  public static func cancel(_ path: [String]) -> Change { Change(.cancel, path) }
  public static func address(_ address: JSON) -> Change { Change(.address(address), ["address"]) }
  public static func prefer(languages: [String]? = nil, timeZone: String? = nil) -> Change {
    Change(.prefer(languages: languages, timeZone: timeZone), ["client"])
  }
}

/// A request at the files that a view model takes.
public struct UploadVisit: Sendable {
  /// Whether it makes room for a file, for which the entry's condition has to hold.
  let opens: Bool
  /// Gets the view model of the files.
  let visit: @Sendable (AnyObject) -> Void

  init(opens: Bool, visitingModel visit: @escaping @Sendable (AnyObject) -> Void) {
    (self.opens, self.visit) = (opens, visit)
  }
}

extension Change {
  var name: String { path.count == 1 ? path[0] : path.joined(separator: "/") }

  /// The path without the keys of rows. It is the same for every row of a list. Each key follows an `items`.
  package var pathWithoutKeys: String {
    if path.count == 1 { return path[0] }
    // The last token is the name of the action, even if it follows an `items`.
    let names = path.indices.filter { $0 == 0 || $0 == path.count - 1 || path[$0 - 1] != "items" }.map { path[$0] }
    return names.joined(separator: "/")
  }

  package var isOfAddress: Bool { if case .address = verb { true } else { false } }

  /// The JSON of the value that came.
  package var json: JSON? {
    switch verb {
    case .set(let value): value
    case .perform(let value): value
    case .address(let address): address
    case .cancel, .prefer, .uploads: nil
    }
  }

  /// The value that came, as the declared type.
  func value<Value: JSONRepresentable>(_: Value.Type) throws(SurfaceError) -> Value {
    let json: JSON
    switch verb {
    case .set(let value), .perform(let value?), .address(let value): json = value
    case .perform(nil), .cancel, .prefer, .uploads:
      throw .mismatch(JSONMismatch(expected: Value.jsonTypeName, found: "no value"))
    }
    do throws(JSONMismatch) { return try Value(json: json) } catch { throw .mismatch(error) }
  }

  /// - Throws: `SurfaceError.mismatch`, if a value came.
  func noValue() throws(SurfaceError) {
    // A client that always sends a value sends `null` for no value.
    if case .perform(let value?) = verb, value != .null {
      throw .mismatch(JSONMismatch(expected: "no value", found: value))
    }
  }
}

/// The reasons why a surface refused changes of a batch; no change of the batch was made.
public struct ChangesRefused: Error, CustomStringConvertible {
  /// The refused changes, in their order.
  public let refusals: [(index: Int, error: SurfaceError)]

  public init(refusals: [(index: Int, error: SurfaceError)]) { self.refusals = refusals }

  public var description: String { refusals.map { "change \($0.index): \($0.error)" }.joined(separator: "; ") }
}
