// SPDX-License-Identifier: MIT
import EventSequences
import ObservableCore
import Testing

@Suite struct `A binder` {
  final class Label {
    var text = ""
  }

  @Test func `S3-3 hands elements to its target and ignores the completion`() {
    let label = Label()
    EventSequence.of("a", "b").bind(to: Binder(label) { $0.text += $1 })
    EventSequence.of("c").subscribe(Binder(label) { $0.text += $1 })
    #expect(label.text == "abc")
  }

  @Test func `S3-3 does not keep its target alive, and does nothing once that is gone`() {
    var label: Label? = Label()
    weak let target = label
    var runs = 0
    let subject = PublishSubject<String>()
    if let label {
      subject.sequence.bind(
        to: Binder(label) { _, _ in
          runs += 1
        })
    }
    subject.onNext("a")
    label = nil
    #expect(target == nil)
    subject.onNext("b")
    #expect(runs == 1)
  }

  @Test func `S3-3 always runs on its scheduler, however it is told`() {
    let label = Label()
    let scheduler = VirtualTimeScheduler()
    let binder = Binder<String>(label, scheduler: scheduler) { $0.text += $1 }
    let subject = PublishSubject<String>()
    subject.sequence.bind(to: binder)
    subject.sequence.subscribe(binder)
    subject.onNext("a")
    binder.onNext("b")
    #expect(label.text == "")
    scheduler.run()
    #expect(label.text == "aab")
  }

  @Test func `S3-4 is handed nothing that waited on its scheduler when the subscription was disposed of`() {
    let label = Label()
    let scheduler = VirtualTimeScheduler()
    let binder = Binder<String>(label, scheduler: scheduler) { $0.text += $1 }
    let subject = PublishSubject<String>()
    let subscriptions = [subject.sequence.bind(to: binder), subject.sequence.subscribe(binder)]
    subject.onNext("a")
    for subscription in subscriptions { subscription.dispose() }
    scheduler.run()
    #expect(label.text == "")
  }

  @Test func `S3-3 an error that reaches it ends the process, with the target, the place and the error`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      crashWithoutBacktrace()
      let label = Label()
      EventSequence<String>.failed(Failure()).bind(to: Binder(label) { $0.text = $1 })
    }
    let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(message.contains("the binder of Label (EventSequencesTests/BinderTests.swift:"))
    #expect(message.contains("got the error 'failure'; expected elements only"))
  }
}
