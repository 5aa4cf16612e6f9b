// SPDX-License-Identifier: MIT
package import Storing
package import ViewModels

/// A client as a request has found it, by its present credential.
package struct FoundClient: Sendable {
  /// The credential that it came with first, by which it is known for as long as it lives.
  package let owner: Credential
  /// Its sign-in; `nil` for a client that never has signed in.
  let signIn: ClientTable.SignIn?
  let use: ClientUse
  private let credentialNumber: UInt32

  init(_ owner: Credential, _ signIn: ClientTable.SignIn?, _ use: ClientUse) {
    (self.owner, self.signIn, self.use) = (owner, signIn, use)
    credentialNumber = use.credentialNumber
  }

  package var user: User? { signIn?.user }

  /// Whether the client still has the credential and the user with which it was found.
  var isPresent: Bool { credentialNumber == use.credentialNumber }
}
