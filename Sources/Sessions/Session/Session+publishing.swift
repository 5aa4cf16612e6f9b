// SPDX-License-Identifier: MIT
import ViewModels

/// The part of a session that makes revisions.
extension Session {
  /// Makes a revision of the changes since the last one, and answers the readers that wait for it.
  func publish() {
    if isClosed { return }
    settleSignIn()
    if model.stamp(revision + 1) {
      revision += 1
      custody.isUnsaved = true
      checkStateLength()
      wakeReaders()
    }
    count()
    answerCommandWaits()
  }

  /// Publishes the writes of a command's step that came just before, in the same turn. A request must not see
  /// them under the earlier version.
  func catchUp() { if let publishing = work.publishing { publish(writesOf: publishing) } }

  /// Publishes the writes of some code. It counts as a part of that code.
  private func publish(writesOf code: TimedWork) {
    let outer = begin(code, since: services.now())
    publish()
    end(outer)
  }

  /// Publishes writes outside a change when the turn in which they happen is over.
  func publishLater() {
    if work.isChanging || work.publishing != nil { return }
    let code = work.present?.work ?? .between
    work.publishing = code
    executor.afterTurn {
      self.submit { session in
        session.work.publishing = nil
        session.publish(writesOf: code)
      }
    }
  }
}
