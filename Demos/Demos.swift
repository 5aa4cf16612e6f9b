// SPDX-License-Identifier: MIT
public import Euripus

/// What `euripus serve` hosts.
public let all: [HostedModelType] = [
  .hosting { LoginViewModel() },
  .hosting { FollowViewModel() },
  .hosting { SignUpViewModel() },
  .hosting { PageViewModel() },
  .hosting { ProfileViewModel() },
]
