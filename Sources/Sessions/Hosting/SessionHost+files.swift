// SPDX-License-Identifier: MIT
import Storing
import ViewModels

extension SessionHost {
  /// Drops the files of uploads that nobody has taken in a time since their last byte. The view models in memory are told;
  /// others find it out when they look for their files.
  package func expireFiles(after time: Duration) {
    for file in spool.expire(after: time) {
      if case .living(let session) = table.find(file.session) { session.submit { $0.expire(file) } }
    }
  }
}
