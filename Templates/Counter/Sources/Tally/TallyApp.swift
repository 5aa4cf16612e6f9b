import EuripusApp

final class Counter: ViewModel {
  @Observed var count = 0
  lazy var canTakeBack = Computed(self) { $0.count > 0 }

  func add() { count += 1 }
  func takeBack() { count -= 1 }

  static let surface = Surface<Counter>(
    "counter", .value("count", \.$count), .value("canTakeBack", \.canTakeBack),
    .action("add", Counter.add), .action("takeBack", Counter.takeBack, when: \.canTakeBack))
}

@main struct TallyApp: EuripusApp {
  var models: Models { Counter.init }
}
