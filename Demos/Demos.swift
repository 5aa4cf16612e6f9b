// SPDX-License-Identifier: MIT
public import Euripus

/// The view models that `euripus serve` hosts.
///
/// - Parameters:
///   - recordings: the store of the recordings, which all sessions share.
///   - users: the people who can log in. With `nil` the login says yes to everybody and signs nobody in, as the
///     document's does.
public func all(recordings: RecordingStore, users: UserStore?) -> [HostedModelType] {
  login(users) + [
    .hosting(scope: boards) { BoardViewModel($0) },
    .hosting { CardFinder($0) },
    .hosting(at: "/follow") { FollowViewModel() },
    .hosting { SignUpViewModel() },
    .hosting { PageViewModel() },
    .hosting { ProfileViewModel() },
    // An answer says that something is saved, and is not sent before.
    .hosting(at: "/recordings", awaitsCommands: true) { RecordingsViewModel(store: recordings) },
    .hosting(at: "/reference") { ReferenceViewModel() },
    .hosting { CookbookViewModel($0) },
  ]
}

/// Everybody may enter every board. One that nobody uses for a month is forgotten.
private let boards = SessionScope.room { (_: BoardName, _) in true }.kept(for: .seconds(30 * 86_400))

private func login(_ users: UserStore?) -> [HostedModelType] {
  guard let users else { return [.hosting { LoginViewModel() }] }
  return [
    // The answer to a login brings the client its new credential.
    .hosting(awaitsCommands: true) { LoginViewModel(door: LoginDoor($0, users)) },
    .hosting(at: "/account", awaitsCommands: true, scope: .user) { AccountViewModel($0, users) },
  ]
}
