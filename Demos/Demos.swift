// SPDX-License-Identifier: MIT
public import Euripus

/// The view models that `euripus serve` hosts.
///
/// - Parameter recordings: the store of the recordings, which all sessions share.
public func all(recordings: RecordingStore) -> [HostedModelType] {
  [
    .hosting { LoginViewModel() },
    .hosting(at: "/follow") { FollowViewModel() },
    .hosting { SignUpViewModel() },
    .hosting { PageViewModel() },
    .hosting { ProfileViewModel() },
    // An answer says that something is saved, and is not sent before.
    .hosting(at: "/recordings", awaitsCommands: true) { RecordingsViewModel(store: recordings) },
    .hosting(at: "/reference") { ReferenceViewModel() },
  ]
}
