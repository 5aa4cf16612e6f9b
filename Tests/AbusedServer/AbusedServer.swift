// SPDX-License-Identifier: MIT
import Euripus

/// A server with the usual limits, whose view models cost as much as a client tells them to.
///
/// `AbusedServer [BYTES | untimed]` listens on a free port, which it prints. All sessions together may take BYTES of
/// memory. `untimed` leaves the time of actions without a limit: on a busy machine quick ones take long.
@main struct AbusedServer {
  static func main() {
    var configuration = ServerConfiguration()
    configuration.listener.port = 0
    configuration.sessions.idleTime = .seconds(20)
    let argument = CommandLine.arguments.dropFirst().first
    configuration.sessions.maxMemoryBytes = argument.flatMap { Int($0) }
    if argument == "untimed" { configuration.sessions.actionTime = nil }
    EuripusServer(
      [.hosting { BusyViewModel() }, .hosting { GrowingViewModel() }, .hosting { HoardingViewModel($0) }],
      configuration: configuration
    )
    .run { StandardOutput.write($0) }
  }
}

/// Keeps a processor busy for as many milliseconds as a client says.
final class BusyViewModel: ViewModel {
  let turns = Observable(0)
  let spin = Observer<Int>()

  init() {
    spin.handle(self) { busy, milliseconds in
      let end = ContinuousClock.now + .milliseconds(milliseconds)
      while ContinuousClock.now < end { busy.turns.value += 1 }
    }
  }

  static let surface = Surface<BusyViewModel>("busy", .value("turns", \.turns), .action("spin", \.spin))
}

/// Has a place for as many files as there may be.
final class HoardingViewModel: ViewModel {
  let files: Uploads

  init(_ context: SessionContext) { files = Uploads(context, most: 1_000, each: .megabytes(1)) }

  static let surface = Surface<HoardingViewModel>("hoarding", .uploads("files", \.files))
}

/// Grows by as many rows as a client says.
final class GrowingViewModel: ViewModel {
  let rows = KeyedList<RowViewModel>()
  let grow = Observer<Int>()

  init() {
    grow.handle(self) { growing, count in
      let first = growing.rows.count
      for key in first..<first + count { growing.rows.append(RowViewModel("text of row \(key)"), key: "\(key)") }
    }
  }

  static let surface = Surface<GrowingViewModel>(
    "growing", .list("rows", \.rows) { _, _ in RowViewModel("") }, .action("grow", \.grow))
}

final class RowViewModel: ViewModel {
  let text: Observable<String>
  let done = Observable(false)
  let secret = Observable("")

  init(_ text: String) { self.text = Observable(text) }

  static let surface = Surface<RowViewModel>(
    "row", .value("text", \.text), .twoWay("done", \.done), .secret("secret", \.secret))
}
