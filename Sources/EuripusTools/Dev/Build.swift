// SPDX-License-Identifier: MIT
import Foundation
import Locking

/// A build of the program that is under way, or over. The terminal gets its lines as they come.
final class Build {
  private let process = Process()
  private let lines: RelayedLines
  let began = ContinuousClock.now

  init(_ package: AppPackage) throws {
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["swift", "build", "--product", package.product]
    process.standardInput = FileHandle.nullDevice
    lines = RelayedLines(to: .standardOutput)
    process.standardOutput = lines.pipe
    process.standardError = lines.pipe
    try process.run()
    lines.begin()
  }

  var isOver: Bool { !process.isRunning }

  /// The complaints of the compiler, each with its file and line; `nil` after a build that went well.
  ///
  /// - Precondition: it is over.
  func fault() -> Fault? {
    lines.finish()
    if process.terminationStatus == 0 { return nil }
    var seen: Set<String> = []
    // The compiler says an error once for each target that it comes in.
    let errors = lines.all.filter { $0.contains(": error: ") && seen.insert($0).inserted }.map(Fault.shortened)
    return Fault(
      title: "The program was not built.",
      text: (errors.isEmpty ? lines.all.suffix(20) : errors.prefix(20)).joined(separator: "\n"))
  }
}

/// A reason for which the program does not run as it was written, for the pages.
struct Fault: Encodable, Equatable {
  let title: String
  let text: String

  /// The first line of the package's own sources in a backtrace, with the path from the package on; `nil` if it has none.
  static func place(
    in backtrace: String, of package: String = FileManager.default.currentDirectoryPath
  ) -> String? {
    for line in backtrace.split(separator: "\n") {
      guard let place = line.firstMatch(of: #/ at (\/.+\.swift:\d+)/#)?.1, place.hasPrefix("\(package)/") else {
        continue
      }
      let own = place.dropFirst(package.count + 1)
      // Packages that it uses lie there too.
      if !own.hasPrefix(".build/") { return String(own) }
    }
    return nil
  }

  /// A compiler's line with the path from the package on.
  static func shortened(_ line: String) -> String {
    line.replacingOccurrences(of: FileManager.default.currentDirectoryPath + "/", with: "")
  }
}
