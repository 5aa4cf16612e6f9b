// SPDX-License-Identifier: MIT
import Euripus
import Glibc

/// Ends its process in every way that a mistake can.
final class TrapViewModel: ViewModel {
  let count = Observable(0, name: "count")
  let note = Observable("", name: "note")
  private let isBad = Observable(false, name: "isBad")
  /// The id of the process that spoiled it, or 0. `doubled` can be computed in that process alone, and traps in
  /// any other.
  let spoiledIn = Observable(0, name: "spoiledIn")
  let doubled: Computed<Int>
  let increment = Observer<Void>()
  let fatal = Observer<String>()
  let outOfRange = Observer<Int>()
  let missing = Observer<Void>()
  let endless = Observer<Void>()
  let aborted = Observer<Void>()
  let killed = Observer<Void>()
  let left = Observer<Void>()
  let finished = Observer<Void>()
  /// Counts, or says on standard output that it is at work, and is so until the process ends.
  let held = Observer<Bool>()
  let shown = Observer<Void>()
  let spoil = Observer<Void>()
  private(set) lazy var step = Command<Void, Int>(self) { _, _, _ in
    await Task.yield()
    return Self.trapInAStep()
  }

  init() {
    let (count, isBad, spoiledIn) = (count, isBad, spoiledIn)
    doubled = Computed {
      let isSpoiled = spoiledIn.value != 0 && spoiledIn.value != Int(getpid())
      return isBad.value || isSpoiled ? Self.trapWhileComputing() : count.value * 2
    }
    increment.handle(self) { model, _ in model.count.value += 1 }
    fatal.handle(self) { _, _ in Self.trapByMessage() }
    outOfRange.handle(self) { model, index in model.count.value = [1, 2, 3][index] }
    missing.handle(self) { model, _ in
      let nothing: Int? = model.count.value < 0 ? 1 : nil
      // swift-format-ignore: NeverForceUnwrap
      model.count.value = nothing!
    }
    endless.handle(self) { model, _ in model.count.value = Self.deepen(1) }
    aborted.handle(self) { _, _ in abort() }
    killed.handle(self) { _, _ in
      kill(getpid(), SIGKILL)
      while true { pause() }
    }
    left.handle(self) { _, _ in exit(3) }
    finished.handle(self) { _, _ in exit(0) }
    held.handle(self) { model, isHeld in
      guard isHeld else { return model.count.value += 1 }
      StandardOutput.write("held")
      while true { pause() }
    }
    shown.handle(self) { model, _ in model.isBad.value = true }
    spoil.handle(self) { model, _ in model.spoiledIn.value = Int(getpid()) }
  }

  // The tests need the traps themselves.
  @inline(never) private static func trapByMessage() -> Never { fatalError("told to trap") }
  @inline(never) private static func trapWhileComputing() -> Int { fatalError("trapped while computing") }
  @inline(never) private static func trapInAStep() -> Int { fatalError("trapped in a step") }
  // Uses up the stack. The work after the call keeps the compiler from making a loop of it.
  @inline(never) private static func deepen(_ depth: Int) -> Int {
    depth < .max ? deepen(depth + 1) ^ depth : depth
  }

  static let surface = Surface<TrapViewModel>(
    "trap", .value("count", \.count), .value("spoiledIn", \.spoiledIn), .value("doubled", \.doubled),
    .twoWay("note", \.note),
    .action("increment", \.increment), .action("fatal", \.fatal), .action("outOfRange", \.outOfRange),
    .action("missing", \.missing), .action("endless", \.endless), .action("aborted", \.aborted),
    .action("killed", \.killed), .action("left", \.left), .action("finished", \.finished), .action("shown", \.shown),
    .action("held", \.held), .action("spoil", \.spoil),
    .command("step", \.step))
}

/// Ends its process when it is made.
final class StillbornViewModel: ViewModel {
  let nothing = Observable(0)

  init() { Self.trapWhileMade() }

  @inline(never) private static func trapWhileMade() { fatalError("trapped while it was made") }

  static let surface = Surface<StillbornViewModel>("stillborn", .value("nothing", \.nothing))
}
