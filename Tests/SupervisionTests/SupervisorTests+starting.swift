// SPDX-License-Identifier: MIT
import EuripusTesting
import Foundation
import Testing

extension `A supervised server` {
  @Test func `that traps before any has served is reported with its backtrace`() throws {
    let root = FileManager.default.temporaryDirectory.appendingPathComponent("doomed-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: root) }
    try FileManager.default.createDirectory(atPath: root + "/reports-doomed", withIntermediateDirectories: true)
    let process = Process()
    process.executableURL = try TrappingProgram.built("TrappingServer")
    process.arguments = [root + "/reports", "1", "0", "600", "600"]
    process.environment = ProcessInfo.processInfo.environment.filter { $0.key != "SWIFT_BACKTRACE" }
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    _ = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let names = try FileManager.default.contentsOfDirectory(atPath: root + "/reports")
    let report = try String(contentsOfFile: "\(root)/reports/\(try #require(names.first))", encoding: .utf8)
    #expect(report.components(separatedBy: "The backtrace:").last?.contains("trapAtStart") == true, "\(report)")
  }

  @Test(arguments: ["-doomed", "/doomed-at-work"])
  func `waits longer before each start if each traps at its start, also at a work that is known and refused`(
    doom: String
  ) throws {
    let program = try TrappingProgram(wait: 400)
    try FileManager.default.createDirectory(atPath: program.reports + doom, withIntermediateDirectories: true)
    #expect(try program.die(of: "fatal", #""x""#).death.wait == 0)
    // The first death at a known work costs no wait. The deaths count from then on.
    if doom == "/doomed-at-work" { #expect(try program.death().wait == 0) }
    #expect(try program.death().wait == 0)
    // The line has the rest of the wait at the moment of its writing.
    let waits = try (0..<2).map { _ in try #require(try program.death().wait) }
    #expect((1...400).contains(waits[0]) && (401...800).contains(waits[1]), "\(waits)")
  }
}
