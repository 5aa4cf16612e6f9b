// SPDX-License-Identifier: MIT

/// The rows of a keyed list.
public struct RemoteRows<Row: Codable & Equatable & Sendable>: Codable, Equatable, Sendable {
  public var order: [String]
  public var items: [String: Row]

  /// The rows in their order.
  public var rows: [Row] { order.compactMap { items[$0] } }
}

/// The rows that a list shows, of the `count` rows that it has.
public struct RemoteWindow<Row: Codable & Equatable & Sendable>: Codable, Equatable, Sendable {
  public struct Window: Codable, Equatable, Sendable {
    public var first: Int
    public var count: Int
  }
  public var count: Int
  public var window: Window
  public var order: [String]
  public var items: [String: Row]

  /// The rows that are shown, in their order.
  public var rows: [Row] { order.compactMap { items[$0] } }
}

/// A command, with the result or the error of its last run.
public struct RemoteCommand<Result: Codable & Equatable & Sendable>: Codable, Equatable, Sendable {
  public struct Failure: Codable, Equatable, Sendable {
    public var type: String
    public var detail: String
  }
  public var enabled: Bool
  public var executing: Bool
  /// From 0 to 1, where the command knows it.
  public var progress: Double?
  public var result: Result?
  public var error: Failure?
}

/// The kind of a row, where a list has rows of several kinds.
public struct RowKind: Decodable {
  public let kind: String

  /// The error for a kind that a program does not know: the server is newer than the program's types.
  public static func unknown(_ decoder: any Decoder) -> DecodingError {
    .dataCorrupted(DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "a kind that is not known"))
  }
}

/// A value that may be missing, and is sent as `null` then, not left out.
@propertyWrapper public struct OrNull<Value: Codable & Equatable & Sendable>: Codable, Equatable, Sendable {
  public var wrappedValue: Value?
  public init(wrappedValue: Value?) { self.wrappedValue = wrappedValue }
  public init(from decoder: any Decoder) throws { wrappedValue = try Value?(from: decoder) }
  public func encode(to encoder: any Encoder) throws { try wrappedValue.encode(to: encoder) }
}

/// A value that may have others of its own type within it.
public indirect enum Boxed<Value: Codable & Equatable & Sendable>: Codable, Equatable, Sendable {
  case boxed(Value)
  public var value: Value {
    switch self {
    case .boxed(let value): value
    }
  }
  public init(from decoder: any Decoder) throws { self = .boxed(try Value(from: decoder)) }
  public func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}
