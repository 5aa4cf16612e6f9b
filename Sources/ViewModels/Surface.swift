// SPDX-License-Identifier: MIT
public import JSONPatching
public import ObservableCore

/// What a view model shows and lets do: the names of the wire, each with the property behind it.
///
/// Nothing that is not declared here can be reached from outside (ASVS 15.3.3). The order of the entries is the order of
/// the state's members.
public final class Surface<Model: AnyObject>: Sendable {
  /// The name of the view model in URLs.
  public let name: String
  let outputs: [Output]
  let faces: [OutputFace]
  let labels: [OutputLabel]
  /// No state is shorter than this many bytes: each member has its name, and a value of one byte at least.
  let leastStateLength: Int
  let actions: [Action]
  let actionNames: [String]

  /// - Precondition: the name and those of the entries are made of letters, digits, `-` and `_`, and no two values and
  ///   no two actions have the same.
  public init(_ name: String, _ entries: Entry..., file: StaticString = #fileID, line: UInt = #line) {
    self.name = name
    outputs = entries.compactMap(\.output)
    faces = outputs.map(\.face)
    labels = faces.map(\.label)
    let members = labels.filter { !$0.canBeAbsent }.map { $0.member.count + 1 }
    leastStateLength = "{}".utf8.count + members.reduce(0, +) + max(0, members.count - 1)
    actions = entries.compactMap(\.action)
    actionNames = actions.map(\.name)
    for used in [[name], labels.map(\.name), actionNames] {
      var seen: Set<String> = []
      for each in used {
        precondition(Self.isName(each), "'\(each)': expected letters, digits, '-' and '_'", file: file, line: line)
        precondition(seen.insert(each).inserted, "surface '\(name)' declares '\(each)' twice", file: file, line: line)
      }
    }
  }

  private static func isName(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
          true
        default: false
        }
      }
  }

  /// Where the view model keeps what an entry names.
  public typealias Property<Source> = any KeyPath<Model, Source> & Sendable

  /// One line of a surface: a value, or an action.
  public struct Entry: Sendable {

    let output: Output?
    let action: Action?
  }
}

extension Surface.Entry {
  public typealias Property<Source> = Surface<Model>.Property<Source>

  /// A value that the view shows and cannot write.
  public static func value<Value: JSONRepresentable, Source: ObservableValue<Value>>(
    _ name: String, _ property: Property<Source>
  ) -> Self {
    Self(output: .init(readOnly: name, property), action: nil)
  }

  /// A value that the view shows and writes, as long as `condition` holds.
  public static func twoWay<Value: JSONRepresentable, Source: Observable<Value>>(
    _ name: String, _ property: Property<Source>
  ) -> Self {
    Self(output: .init(name, property, condition: nil), action: nil)
  }

  /// A value that the view shows and writes while `condition` is true.
  public static func twoWay<Value: JSONRepresentable, Source: Observable<Value>, Condition: ObservableValue<Bool>>(
    _ name: String, _ property: Property<Source>, when condition: Property<Condition>
  ) -> Self {
    Self(output: .init(name, property, condition: { $0[keyPath: condition] }), action: nil)
  }

  /// A text that the view writes and nobody reads: absent from the state while it is set, `""` while it is empty.
  public static func secret<Source: Observable<String>>(
    _ name: String, _ property: Property<Source>
  ) -> Self {
    Self(output: .init(secret: name, property), action: nil)
  }

  /// An action that takes a value.
  public static func action<Value: JSONRepresentable>(
    _ name: String, _ property: Property<Observer<Value>>
  ) -> Self {
    Self(output: nil, action: .init(name, property, condition: nil))
  }

  /// An action that takes a value, refused unless `condition` is true.
  public static func action<Value: JSONRepresentable, Condition: ObservableValue<Bool>>(
    _ name: String, _ property: Property<Observer<Value>>,
    when condition: Property<Condition>
  ) -> Self {
    Self(output: nil, action: .init(name, property, condition: { $0[keyPath: condition] }))
  }

  /// An action that takes no value.
  public static func action(_ name: String, _ property: Property<Observer<Void>>) -> Self {
    Self(output: nil, action: .init(name, property, condition: nil))
  }

  /// An action that takes no value, refused unless `condition` is true.
  public static func action<Condition: ObservableValue<Bool>>(
    _ name: String, _ property: Property<Observer<Void>>,
    when condition: Property<Condition>
  ) -> Self {
    Self(output: nil, action: .init(name, property, condition: { $0[keyPath: condition] }))
  }
}
