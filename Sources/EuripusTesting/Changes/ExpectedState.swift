// SPDX-License-Identifier: MIT
public import JSONPatching
import ObservableCore

/// The state that a test expects. It begins as the state before the change, and the test writes each value that
/// is to change.
///
/// ```swift
/// state.draft = ""
/// state.items[row: "1"].done = true
/// state.items.append(row: "2", ["text": "Buy bread", "done": false])
/// state["people/items/anna/follow/executing"] = true
/// state.left = .init(count)
/// ```
///
/// Members go by their names on the wire. A member that is named like a method here goes by its path. An absent
/// view model is `nil`. An array is one value. In a list with a window, `order` and `count` are values like
/// others.
@dynamicMemberLookup
public struct ExpectedState: Sendable {
  var json: JSON?
  /// The paths of the written values, from here.
  private(set) var named: [[String]] = []

  /// A state in which nothing was written.
  init(unchanged json: JSON?) { self.json = json }

  private init(written json: JSON?) {
    self.json = json
    named = [[]]
  }

  /// Makes an expected value of one that the test does not write as a literal.
  public init(_ value: some JSONRepresentable) {
    self.init(written: JSON.shown(value))
  }

  /// A member of the object.
  public subscript(dynamicMember name: String) -> ExpectedState {
    get { below([name]) }
    set { replace([name], by: newValue) }
  }

  /// A value by its path, in the form of ``ModelDriver``'s paths.
  public subscript(path: String) -> ExpectedState {
    get { below(ModelDriver.tokens(path)) }
    set { replace(ModelDriver.tokens(path), by: newValue) }
  }

  // MARK: Rows

  /// A row of the list, by its key.
  public subscript(row key: String) -> ExpectedState {
    get { below(["items", key]) }
    set { replace(["items", key], by: newValue) }
  }

  /// Names a row that is added at the end.
  public mutating func append(row key: String, _ row: ExpectedState) { insert(row: key, row, at: order.count) }

  /// Names a row that is added.
  public mutating func insert(row key: String, _ row: ExpectedState, at index: Int) {
    var order = order
    order.insert(.string(key), at: min(max(index, 0), order.count))
    self.order = order
    self[row: key] = ExpectedState(written: row.json)
  }

  /// Names a row that is removed.
  public mutating func remove(row key: String) {
    order.removeAll { $0 == .string(key) }
    self[row: key] = ExpectedState(written: nil)
  }

  /// Names a row that is moved to an index, counted without the row.
  public mutating func move(row key: String, to index: Int) {
    var order = order.filter { $0 != .string(key) }
    order.insert(.string(key), at: min(max(index, 0), order.count))
    self.order = order
  }

  private var order: [JSON] {
    get { if case .array(let keys)? = json?["order"] { keys } else { [] } }
    set { replace(["order"], by: ExpectedState(written: .array(newValue))) }
  }

  // MARK: Within

  private func below(_ path: [String]) -> ExpectedState { ExpectedState(unchanged: json?.value(at: path)) }

  private mutating func replace(_ path: [String], by value: ExpectedState) {
    json = (json ?? .object([])).replacing(path[...], by: value.json)
    named += value.named.map { path + $0 }
  }
}

extension ExpectedState: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByStringInterpolation, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
  public init(booleanLiteral value: Bool) { self.init(written: .bool(value)) }
  public init(integerLiteral value: Int64) { self.init(written: .integer(value)) }
  public init(floatLiteral value: Double) { self.init(written: .number(value)) }
  public init(stringLiteral value: String) { self.init(written: .string(value)) }
  public init(arrayLiteral elements: ExpectedState...) { self.init(written: .array(elements.map { $0.json ?? .null })) }
  public init(dictionaryLiteral members: (String, ExpectedState)...) {
    self.init(written: .object(members.map { JSON.Member(name: $0, value: $1.json ?? .null) }))
  }
  public init(nilLiteral: ()) { self.init(written: .null) }
}

extension JSON {
  /// A value in the form that clients see.
  static func shown(_ value: some JSONRepresentable) -> JSON {
    var writer = JSONWriter()
    value.write(to: &writer)
    return shown(writer.bytes)
  }

  /// The value in the text of a state.
  static func shown(_ text: [UInt8]) -> JSON {
    // The limits for bodies from clients do not apply to bodies for them.
    do { return try JSONReader.read(text, limits: .init(depth: 512, nodes: .max)) } catch {
      stopProgram(bug: "the state is not JSON, \(error): \(String(decoding: text, as: UTF8.self))")
    }
  }

  /// The value at a path of names; `nil` if there is none.
  func value(at path: [String]) -> JSON? { path.reduce(self as JSON?) { $0?[$1] } }

  /// The same value with another one at a path; `nil` removes the value there. A value on the way that is no
  /// object becomes one.
  fileprivate func replacing(_ path: ArraySlice<String>, by value: JSON?) -> JSON? {
    guard let name = path.first else { return value }
    var object = self
    if case .object = self {} else { object = .object([]) }
    object[name] = (object[name] ?? .object([])).replacing(path.dropFirst(), by: value)
    return object
  }
}
