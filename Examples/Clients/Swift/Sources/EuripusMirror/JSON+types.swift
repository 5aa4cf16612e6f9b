// SPDX-License-Identifier: MIT
public import EuripusClient
import Foundation

extension JSON {
  public init(encoding value: any Encodable) throws {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .custom { date, encoder in
      try date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)).encode(to: encoder)
    }
    self = try JSONDecoder().decode(JSON.self, from: encoder.encode(value))
  }

  public func decoded<Value: Decodable>(as type: Value.Type) throws -> Value {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .custom { decoder in
      let text = try String(from: decoder)
      if let date = try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true)) { return date }
      return try Date(text, strategy: .iso8601)
    }
    return try decoder.decode(type, from: JSONEncoder().encode(self))
  }

  /// The value as a value of the type that the caller wants; `nil` for `null`.
  public func decoded<Value: Decodable>() throws -> Value? { self == .null ? nil : try decoded(as: Value.self) }
}

extension DefaultStringInterpolation {
  /// A key as a step of a path (RFC 6901, and RFC 3986 around it).
  public mutating func appendInterpolation(step key: String) {
    let plain = CharacterSet(charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
    let pointer = key.replacing("~", with: "~0").replacing("/", with: "~1")
    appendLiteral(pointer.addingPercentEncoding(withAllowedCharacters: plain) ?? pointer)
  }
}
