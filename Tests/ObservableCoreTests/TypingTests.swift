// SPDX-License-Identifier: MIT
import Foundation
import Testing

/// Code that must not compile, beside code that must. The second shows that the first fails for the right reason.
@Suite struct `The types` {
  static let cases: [(refused: String, accepted: String, error: String)] = [
    // S0-D1 A wrongly typed observer, value or handler.
    (
      "Observer<Int> { _ in }.subscribe(Observable(\"text\"))",
      "Observer<String> { _ in }.subscribe(Observable(\"text\"))", "cannot convert"
    ),
    ("Observable(1).value = \"text\"", "Observable(1).value = 2", "cannot assign"),
    (
      "ObservableCombiner<Bool>(.every, false).combine(Observable(1)).handle { (text: String) in true }",
      "ObservableCombiner<Bool>(.every, false).combine(Observable(1)).handle { (number: Int) in true }",
      "cannot convert"
    ),
    (
      "ObservableCombiner<Bool>(.every, false).combine(Observable(1)).handle { (a: Int, b: Int) in true }",
      "ObservableCombiner<Bool>(.every, false).combine(Observable(1), Observable(2)).handle { (a: Int, b: Int) in true }",
      "have the same shape"
    ),
    // S0-D7 In the original a subclass that forgot to call `super` told no observer.
    (
      "class Mine: Observable<Int> { override func set(_ value: Int) throws {} }",
      "func write(_ mine: Observable<Int>) throws { try mine.set(1) }", "outside of its defining module"
    ),
    (
      "func write(_ mine: ObservableValue<Int>) { mine.value = 1 }",
      "func write(_ mine: Observable<Int>) { mine.value = 1 }", "is a get-only property"
    ),
    // S1-1 S4-5 S4-10 S4-11 An unknown key, a wrong type, and a write to what is read-only.
    ("_ = binding.bind(\\.titel) { _, _ in }", "_ = binding.bind(\\.title) { _, _ in }", "has no member 'titel'"),
    (
      "_ = binding.bind(\\.title) { (_, _: Int) in }", "_ = binding.bind(\\.length) { (_, _: Int) in }",
      "inherit from 'ObservableValue<Int>'"
    ),
    ("_ = try? binding.update(\\.title, 1)", "_ = try? binding.update(\\.title, \"1\")", "cannot convert"),
    ("_ = try? binding.update(\\.valid, true)", "_ = binding.bind(\\.valid) { _, _ in }", "cannot convert"),
    ("_ = try? binding.update(\\.length, 1)", "_ = binding.bind(\\.length) { _, _ in }", "cannot convert"),
    ("command.executing.value = true", "_ = command.executing.value", "is a get-only property"),
    ("command.result.value = nil", "_ = command.result.value", "is a get-only property"),
    ("command.execute(\"1\")", "command.execute(1)", "cannot convert"),
  ]

  static let models = """
    import ObservableCore
    final class View {}
    final class Model {
      let title = Observable("")
      let valid = ObservableCombiner<Bool>(.every, false)
      let length: ObservableValue<Int> = Observable(0)
    }

    """

  @Test(.timeLimit(.minutes(30)))
  func `refuse wrong types, unknown keys and a bypass of delivery, and accept their like`() throws {
    #expect(try Self.errors(in: Self.cases.map(\.accepted)) == [:])
    let errors = try Self.errors(in: Self.cases.map(\.refused))
    for (index, example) in Self.cases.enumerated() {
      #expect(
        errors[index]?.contains(example.error) == true, "'\(example.refused)', got: \(errors[index] ?? "no error")")
    }
  }

  /// The compiler's errors, by the number of the statement.
  static func errors(in statements: [String]) throws -> [Int: String] {
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
    let cases = statements.enumerated().map { number, statement in
      "func case\(number)(_ binding: Binding<View, Model>, _ command: Command<Int, Int>) { \(statement) }\n"
    }
    input.fileHandleForWriting.write(Data((models + cases.joined()).utf8))
    try input.fileHandleForWriting.close()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    let first = models.split(separator: "\n").count + 1
    return text.matches(of: #/<stdin>:(\d+):\d+: error: (.*)/#).reduce(into: [:]) { errors, match in
      errors[(Int(match.1) ?? 0) - first, default: ""] += match.2
    }
  }
}
