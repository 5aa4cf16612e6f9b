// SPDX-License-Identifier: MIT

// The stored state of a view model is one JSON object. It has the stored entries of the surface, by their names
// on the wire:
//
// - a value as it is in the state;
// - a nested view model as an object of this form, or `null`;
// - a list as {"order":[…],"gone":[…],"excerpt":{…},"items":{KEY:{…},…},"window":{…}};
// - a command as {"executing":true,"result":…,"error":{"type","detail"}}.
//
// A member about one of these, or about the object, has a name with a tilde, which no entry can have.

// A long list may be stored in parts. Then it is {"items":{},"window":{…}} in the main object. Its order, its
// keys that have left, its place in a longer list and each of its rows are parts. A part is named by the JSON Pointer of its place
// (/list/order, /list/items/KEY). The main object ends with the number of the parts.

/// The names in a stored state that belong to no entry.
enum StoredName {
  /// The kind of a view model, in a list of kinds: always the first member.
  static let kind = "~kind"
  /// The schema of a view model within another, if it is not 1.
  static let schema = "~schema"
  /// Each item's memory of its content, in a module.
  static let items = "~items"

  /// The number of the parts beside the main object: its last member, if there are any.
  static let parts = "~parts"

  /// The name of a member that says whether a secret was set, or how far a combiner has come.
  static func about(_ name: String) -> String { name + "~" }
}
