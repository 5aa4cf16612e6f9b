// SPDX-License-Identifier: MIT
public import JSONPatching

/// The facts about its user that a session knows when it begins. They are stored with it.
public struct Visitor: Sendable, Equatable {
  /// The user, if one has signed in.
  public var user: User?
  /// The preferred languages, the best first, as tags of BCP 47: `de-AT`, `en`.
  public var languages: [String]
  /// The name of the time zone (IANA): `Europe/Vienna`; `nil` where that is not known.
  public var timeZone: String?
  /// Whether the client that opened the session was on the server's own machine. Behind a trusted proxy the address that it
  /// names decides; a request with a proxy's field that comes from no trusted proxy is not local.
  public var isLocal: Bool
  /// The parameters of the session, an object; `nil` if it was opened without.
  public var params: JSON?

  public init(
    user: User? = nil, languages: [String] = [], timeZone: String? = nil, isLocal: Bool = false, params: JSON? = nil
  ) {
    self.user = user
    self.languages = languages
    self.timeZone = timeZone
    self.isLocal = isLocal
    self.params = params
  }
}

extension Visitor {
  /// The visitor as the store keeps it.
  package var json: JSON {
    .object([
      .init(name: "user", value: user?.json ?? .null),
      .init(name: "languages", value: .array(languages.map { .string($0) })),
      .init(name: "timeZone", value: timeZone.map { .string($0) } ?? .null),
      .init(name: "isLocal", value: .bool(isLocal)),
      .init(name: "params", value: params ?? .null),
    ])
  }

  package init(stored json: JSON) {
    self.init()
    user = json["user"].flatMap { User(stored: $0) }
    if case .array(let texts)? = json["languages"] {
      languages = texts.compactMap { text in if case .string(let text) = text { text } else { nil } }
    }
    if case .string(let name)? = json["timeZone"] { timeZone = name }
    if case .bool(let value)? = json["isLocal"] { isLocal = value }
    if case .object? = json["params"] { params = json["params"] }
  }
}
