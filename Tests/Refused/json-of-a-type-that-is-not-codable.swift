// SPDX-License-Identifier: MIT
// expected error: unavailable initializer 'init(json:)' was used to satisfy a requirement of protocol 'JSONRepresentable': the type does not say its JSON: expected 'Codable, JSONRepresentable', or 'init(json:)', 'write(to:)' and 'jsonTypeName' of its own
import JSONPatching

struct Thing: Equatable, JSONRepresentable {
  var name = ""
}
