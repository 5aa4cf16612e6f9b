// SPDX-License-Identifier: MIT
import Storing
import ViewModels

/// Telling a view model who follows it. One that has not asked costs nothing here.
extension Session {
  /// Takes note that the view model asks for its members, perhaps long after the first of them has come.
  func countMembers() {
    guard let context = model.context, context.asksForMembers, attendance == nil else { return }
    let now = services.now()
    attendance = Attendance(expecting: context.storedMembers, now: now)
    for waiter in readers.waiters { readerCame(waiter) }
    look(forMembersAt: attendance?.planLook())
  }

  /// Notes that a reader has come.
  func readerCame(_ waiter: Waiter) {
    guard let attendance, !waiter.isSession, let found = waiter.requester?.found else { return }
    let moment = services.moment()
    let time = moment.time(of: moment.instant)
    if attendance.come(found.owner.name, found.user == nil ? nil : actor(found), at: time, moment.instant) {
      membersChanged()
    }
  }

  /// Notes that a reader has gone, or was answered.
  ///
  /// - Parameter pause: the time after which it was told to come back.
  func readerLeft(_ waiter: Waiter, pause: Duration) {
    guard let attendance, !waiter.isSession, let client = waiter.requester?.found?.owner else { return }
    look(forMembersAt: attendance.leave(client.name, pause: pause, services.now()))
  }

  /// Looks whether members have stayed away, and tells the view model.
  func lookForMembers(_ now: ContinuousClock.Instant) {
    guard !isClosed, let attendance else { return }
    if attendance.look(now) { membersChanged() }
    look(forMembersAt: attendance.planLook())
  }

  /// Plans the next look for them. It is none of the looks by which idle sessions are found.
  private func look(forMembersAt instant: ContinuousClock.Instant?) {
    if let instant { services.check(self, instant) }
  }

  /// Tells the view model in the pool, as its code may take long.
  private func membersChanged() {
    // Those who come and go together are told of together.
    guard let attendance, !attendance.isTelling else { return }
    attendance.isTelling = true
    executor.afterTurn { [executor] in
      executor.submit(.untried) { self.assumeIsolated { $0.tellMembers() } }
    }
  }

  private func tellMembers() {
    attendance?.isTelling = false
    guard arrive(), !isClosed, let context = model.context, let members = attendance?.members else { return }
    limitState()
    turnWork.isChanging = true
    let outer = beginCode(TimedWork("the members", by: .others), since: services.now())
    var failure: (any Error)?
    model.enter { do { try context.setMembers(members) } catch { failure = error } }
    turnWork.isChanging = false
    custody.isUnsaved = true
    publish()
    endCode(outer)
    if let failure { report(.commandFailed(command: "the members", model: modelName, reason: "\(failure)")) }
  }
}
