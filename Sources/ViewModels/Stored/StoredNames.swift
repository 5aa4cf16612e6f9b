// SPDX-License-Identifier: MIT

// The stored state of a view model is one JSON object. It has, by their names on the wire, the entries of the surface that
// are stored: a value as it is in the state; a nested view model as an object of this form, or `null`; a list as
// {"order":[…],"gone":[…],"items":{KEY:{…},…},"window":{…}}; a command as {"executing":true,"result":…,"error":{"type","detail"}}.
// A member about these, or about the object, has a name with a tilde, which no entry can have.

// A long list may be stored row by row: then it is {"items":{},"window":{…}} in the main object, its order, what has gone and each
// row are parts, named by the JSON Pointers of their places (/list/order, /list/items/KEY), and the main object ends with their number.

/// The names in a stored state that are no entry's.
enum StoredName {
  /// The kind of a view model, in a list of kinds: always the first member.
  static let kind = "~kind"
  /// The schema of a view model within another, if it is not 1.
  static let schema = "~schema"
  /// The memory that each item of a module has of its content.
  static let items = "~items"

  /// How many parts there are beside the main object: its last member, if there are any.
  static let parts = "~parts"

  /// Whether a secret was set, or how far a combiner has come.
  static func about(_ name: String) -> String { name + "~" }
}
