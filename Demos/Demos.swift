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
    .hosting { RecordingsViewModel(store: recordings) },
    .hosting { ReferenceViewModel() },
  ]
}
