// SPDX-License-Identifier: MIT
public import Euripus

/// The view models that `euripus serve` hosts.
///
/// - Parameter recordings: the store of the recordings, which all sessions share.
public func all(recordings: RecordingStore) -> [HostedModelType] {
  [
    .hosting { LoginViewModel() },
    .hosting { FollowViewModel() },
    .hosting { SignUpViewModel() },
    .hosting { PageViewModel() },
    .hosting { ProfileViewModel() },
    // An answer says that something is saved, and is not sent before.
    .hosting(awaitsCommands: true) { RecordingsViewModel(store: recordings) },
    .hosting { ReferenceViewModel() },
  ]
}
