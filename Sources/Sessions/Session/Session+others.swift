// SPDX-License-Identifier: MIT
import ObservableCore
import ViewModels

/// Code that runs in a session though its client has not asked for it: for followed sequences and timers. It has a
/// budget of its own. Where that is used up the code waits, and no request is refused for it.
extension Session {
  /// The time until such code may run, or go on; `nil` if it may now.
  var waitOfOthers: Duration? {
    guard let share = services.configuration.actionTime else { return nil }
    let now = services.now()
    guard let present = turnWork.present, case .others = present.work.cause else { return use.timeOfOthers.wait(now) }
    return use.timeOfOthers.wait(now, of: share, began: present.began)
  }

  /// Tells the view model's graph where it lives.
  func hostGraph() {
    followed.hasTime = { [weak self] place in self?.assumeIsolated { $0.admit(sequence: place) } ?? true }
    followed.didFail = { [weak self] error, place in self?.assumeIsolated { $0.report(error, of: place) } }
    model.enter { Graph.entered?.host = followed }
  }

  private func admit(sequence place: String) -> Bool {
    guard !isClosed, let wait = waitOfOthers else {
      nameWork(place)
      return true
    }
    let now = services.now()
    look(noLaterThan: now + wait)
    if followed.isWaitNews(now) { report(.othersWait(place, model: modelName, wait: wait)) }
    return false
  }

  /// Lets the sequences go on that wait.
  ///
  /// - Returns: the time at which to come again, if there is no time now.
  func letFollowedGoOn(_ now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
    guard followed.areWaiting else { return nil }
    if let wait = waitOfOthers { return now + wait }
    followed.goOn()
    return nil
  }

  private func report(_ error: any Error, of place: String) {
    report(.nobodyCaught(place, model: modelName, reason: "\(type(of: error)): \(error)"))
  }
}
