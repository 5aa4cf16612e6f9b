// SPDX-License-Identifier: MIT
import EuripusPasswords

/// The reason why somebody was not logged in.
enum LoginRefusal: Error, Equatable {
  /// The name belongs to somebody with another password.
  case wrongPassword
  /// The name, or the client, has to wait for so many seconds.
  case tooManyTries(seconds: Int)
  /// The server is busy: no more passwords may wait to be hashed.
  case busy
  /// The store is full: there are as many users as there may be.
  case full
  /// The network has made as many users today as it may.
  case tooManyNew
  /// The users' file cannot be read or written, or nobody waits for the answer any more.
  case failed
}

extension LoginRefusal {
  init(_ error: PasswordError) { self = error == .busy ? .busy : .failed }
}
