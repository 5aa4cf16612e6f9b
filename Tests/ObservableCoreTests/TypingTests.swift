// SPDX-License-Identifier: MIT
import Foundation
import Testing

/// Code that must not compile, beside code that must. The second shows that the first fails for the right reason.
@Suite struct `The types` {
  static let cases: [(refused: String, accepted: String)] = [
    (
      "Observer<Int> { _ in }.subscribe(Observable(\"text\"))",
      "Observer<String> { _ in }.subscribe(Observable(\"text\"))"
    ),
    (
      "Observable(1).value = \"text\"",
      "Observable(1).value = 2"
    ),
    (
      "ObservableCombiner<Bool>(.every, false).combine(Observable(1)).handle { (text: String) in true }",
      "ObservableCombiner<Bool>(.every, false).combine(Observable(1)).handle { (number: Int) in true }"
    ),
    (
      "ObservableCombiner<Bool>(.every, false).combine(Observable(1)).handle { (a: Int, b: Int) in true }",
      "ObservableCombiner<Bool>(.every, false).combine(Observable(1), Observable(2)).handle { (a: Int, b: Int) in true }"
    ),
  ]

  /// Cases in which the original told no observer, because a subclass forgot to call `super`.
  static let bypasses: [(refused: String, accepted: String)] = [
    (
      "class Mine: Observable<Int> { override func set(_ value: Int) throws {} }",
      "func write(_ mine: Observable<Int>) throws { try mine.set(1) }"
    ),
    (
      "func write(_ mine: ObservableValue<Int>) { mine.value = 1 }",
      "func write(_ mine: Observable<Int>) { mine.value = 1 }"
    ),
  ]

  @Test(.timeLimit(.minutes(5)), arguments: bypasses)
  func `S0-D7 user code cannot bypass delivery`(refused: String, accepted: String) throws {
    let good = try Self.compile(accepted)
    #expect(good.status == 0, "expected '\(accepted)' to compile, got: \(good.errors)")
    let bad = try Self.compile(refused)
    #expect(bad.status != 0, "expected '\(refused)' not to compile")
    #expect(
      bad.errors.contains("overrides a 'final'") || bad.errors.contains("outside of its defining module")
        || bad.errors.contains("is a get-only property"), "got: \(bad.errors)")
  }

  @Test(.timeLimit(.minutes(5)), arguments: cases)
  func `S0-D1 a wrongly typed bind does not compile`(refused: String, accepted: String) throws {
    let good = try Self.compile(accepted)
    #expect(good.status == 0, "expected '\(accepted)' to compile, got: \(good.errors)")
    let bad = try Self.compile(refused)
    #expect(bad.status != 0, "expected '\(refused)' not to compile")
    #expect(bad.errors.contains("error: cannot ") || bad.errors.contains("have the same shape"), "got: \(bad.errors)")
  }

  static let models = """
    final class View {}
    final class Model { let title = Observable(""); let valid = ObservableCombiner<Bool>(.every, false); let length: ObservableValue<Int> = Observable(0) }
    let view = View(), binding = Binding<View, Model>(view), command = Command<Int, Int>(view) { _, input, _ in input }

    """

  static let bound: [(refused: String, accepted: String)] = [
    ("_ = binding.bind(\\.titel) { _, _ in }", "_ = binding.bind(\\.title) { _, _ in }"),
    ("_ = binding.bind(\\.title) { (_, _: Int) in }", "_ = binding.bind(\\.length) { (_, _: Int) in }"),
    ("try? binding.update(\\.title, 1)", "try? binding.update(\\.title, \"1\")"),
    ("try? binding.update(\\.valid, true)", "_ = binding.bind(\\.valid) { _, _ in }"),
    ("try? binding.update(\\.length, 1)", "_ = binding.bind(\\.length) { _, _ in }"),
    ("command.executing.value = true", "_ = command.executing.value"),
    ("command.result.value = nil", "_ = command.result.value"),
    ("command.execute(\"1\")", "command.execute(1)"),
  ]

  @Test(.timeLimit(.minutes(5)), arguments: bound)
  func `S1-1 S4-5 S4-10 S4-11 an unknown key, a wrong type, and a write to what is read-only do not compile`(
    refused: String, accepted: String
  ) throws {
    let good = try Self.compile(Self.models + accepted)
    #expect(good.status == 0, "expected '\(accepted)' to compile, got: \(good.errors)")
    let bad = try Self.compile(Self.models + refused)
    #expect(bad.status != 0, "expected '\(refused)' not to compile")
    #expect(bad.errors.contains("error: "), "got: \(bad.errors)")
  }

  static func compile(_ statement: String) throws -> (status: Int32, errors: String) {
    // The test binary stands beside the modules that were built with it.
    let products = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") as NSString
    let modules = (products.deletingLastPathComponent as NSString).appendingPathComponent("Modules")
    // The core imports this module of C, which has its map beside its header.
    let shim = (#filePath as NSString).deletingLastPathComponent + "/../../Sources/CRuntime/include"
    let process = Process()
    let input = Pipe()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["swiftc", "-typecheck", "-swift-version", "6", "-I", modules, "-I", shim, "-"]
    process.standardInput = input
    process.standardError = output
    try process.run()
    input.fileHandleForWriting.write(Data("import ObservableCore\nfunc bind() {\n  \(statement)\n}\n".utf8))
    try input.fileHandleForWriting.close()
    let errors = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: errors, as: UTF8.self))
  }
}
