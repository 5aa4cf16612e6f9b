// SPDX-License-Identifier: MIT

/// Why somebody was not logged in.
enum LoginRefusal: Error, Equatable {
  /// The name is somebody's, whose password is another one.
  case wrongPassword
  /// The name, or the client, has to wait for so many seconds.
  case tooManyTries(seconds: Int)
  /// As many passwords wait to be hashed as may.
  case busy
  /// There are as many users as there may be.
  case full
  /// The users' file cannot be read or written, or nobody waits for the answer any more.
  case failed
}
