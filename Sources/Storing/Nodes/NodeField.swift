// SPDX-License-Identifier: MIT

/// The fields by which servers of one store talk to each other.
package enum NodeField {
  /// The field by which one server recognises another. It holds the secret of the server that is asked.
  package static let token: StaticString = "Euripus-Node"
  /// The field that says that the sending server has checked the proxy's statement about the user.
  package static let user: StaticString = "Euripus-User"
  /// The field that names the user of a session of the sending server, which follows a room here.
  package static let reader: StaticString = "Euripus-Reader"
}
