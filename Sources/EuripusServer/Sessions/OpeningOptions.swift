// SPDX-License-Identifier: MIT
import JSONPatching

/// The options in the body of a request to open a session.
struct OpeningOptions {
  /// The means by which the client wants to keep its key; `nil` if it does not say.
  private(set) var means: ClientKey.Means?
  /// The address at which the session is opened; `nil` if the client does not say.
  private(set) var address: JSON?
  /// The object of parameters; `nil` if the client gives none.
  private(set) var params: JSON?
  /// The client's preferences; `nil` if it gives none.
  private(set) var preferences: ClientPreferences?

  /// The invitation by which the client comes into a room; `nil` if it has none.
  private(set) var invitation: String?

  init(_ body: JSON?) throws(Problem) {
    guard let body else { return }
    guard case .object(let members) = body else {
      throw Problem(
        .invalidAction,
        "expected an object with 'params', 'auth', 'client', 'address' and 'invitation', or an empty body",
        pointer: "")
    }
    for member in members {
      switch (member.name, member.value) {
      case ("params", .object): params = member.value
      case ("params", _): throw Problem(.invalidAction, "expected an object of parameters", pointer: "/params")
      case ("auth", .string(let text)) where ClientKey.Means(rawValue: text) != nil:
        means = ClientKey.Means(rawValue: text)
      case ("auth", _): throw Problem(.invalidAction, "expected \"cookie\" or \"bearer\"", pointer: "/auth")
      case ("client", let client): preferences = try ClientPreferences(client, at: "/client")
      case ("address", let text): address = text
      case ("invitation", .string(let text)): invitation = text
      case ("invitation", _): throw Problem(.invalidAction, "expected a text", pointer: "/invitation")
      default:
        throw Problem(
          .invalidAction, "expected 'params', 'auth', 'client', 'address' or 'invitation', got '\(member.name)'",
          pointer: "\(JSONPointer([member.name]))")
      }
    }
  }
}
