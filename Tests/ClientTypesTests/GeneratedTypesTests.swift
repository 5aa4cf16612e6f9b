// SPDX-License-Identifier: MIT
import EuripusTesting
import Foundation
import Testing
import ViewModels

@Suite(.timeLimit(.minutes(30))) struct `Generated types` {
  private static let flags = [
    "--strict", "--target", "es2022", "--module", "es2022", "--moduleResolution", "node", "--lib", "es2022,dom",
  ]

  @Test func `are taken by tsc for every view model`() throws {
    try Tool.inFolder { folder in
      let models = GeneratedTypes.all
      for model in models {
        let file = folder.appendingPathComponent("\(model.name).ts")
        try GeneratedTypes.typeScript(model).write(to: file, atomically: true, encoding: .utf8)
      }
      #expect(models.count > 8)
      try Tool.run(["tsc", "--noEmit"] + Self.flags + models.map { "\($0.name).ts" }, in: folder)
    }
  }

  @Test func `are taken by swiftc for every view model, all in one module`() throws {
    try Tool.inFolder { folder in
      let models = GeneratedTypes.all
      for model in models {
        let file = folder.appendingPathComponent("\(model.name).swift")
        try GeneratedTypes.swift(model).write(to: file, atomically: true, encoding: .utf8)
      }
      let binary = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") as NSString
      try Tool.run(
        ["swiftc", "-typecheck", "-swift-version", "6", "-warnings-as-errors"]
          + ["-enable-upcoming-feature", "ExistentialAny", "-I", binary.deletingLastPathComponent + "/Modules"]
          + ["-I", GeneratedTypes.root + "Sources/CRuntime/include"] + models.map { "\($0.name).swift" }, in: folder)
    }
  }

  /// The live tests are compiled with these files. With EURIPUS_RENEW_TYPES set, this test writes them anew.
  @Test func `are those that stand in the repository`() throws {
    let everything = GeneratedTypes.swift(GeneratedTypes.everything)
    for (file, generated) in [
      ("RemoteTodo.swift", GeneratedTypes.swift(GeneratedTypes.todo)),
      // No live test uses these problems.
      ("RemoteEverything.swift", everything.replacing(#/  enum Problem[^}]*}\n\n/#, with: "")),
      ("typescript/todo.ts", GeneratedTypes.typeScript(GeneratedTypes.todo)),
    ] {
      if ProcessInfo.processInfo.environment["EURIPUS_RENEW_TYPES"] != nil {
        try generated.write(toFile: GeneratedTypes.folder + file, atomically: true, encoding: .utf8)
      }
      #expect(try String(contentsOfFile: GeneratedTypes.folder + file, encoding: .utf8) == generated, "\(file)")
    }
  }

  @Test func `have the problems that a view model can answer, and no others`() {
    let (todo, everything) = (GeneratedTypes.todo, GeneratedTypes.everything)
    let neverOfSessions = ["range-not-satisfiable", "method-not-allowed"]
    for (text, has, lacks) in [
      (GeneratedTypes.typeScript(todo), ["action-disabled", "session-closed"], ["command-busy"]),
      (GeneratedTypes.typeScript(everything), ["command-busy", "not-allowed"], neverOfSessions),
    ] {
      for kind in has { #expect(text.contains("  | \"\(kind)\"")) }
      for kind in lacks { #expect(!text.contains("\"\(kind)\"")) }
    }
  }

  @Test func `let a program in TypeScript follow a list and change it`() throws {
    let server = try TestServer([GeneratedTypes.todo])
    let output = try Tool.inFolder { folder in
      let client = GeneratedTypes.root + "Examples/Clients/JavaScript/"
      let files = ["client.js", "client.d.ts", "patch.js", "package.json"].map { client + $0 }
      for path in files + ["todo.ts", "buy.ts"].map({ GeneratedTypes.folder + "typescript/" + $0 }) {
        let from = URL(fileURLWithPath: path)
        try FileManager.default.copyItem(at: from, to: folder.appendingPathComponent(from.lastPathComponent))
      }
      try Tool.run(["tsc"] + Self.flags + ["buy.ts"], in: folder)
      return try Tool.run(["node", "buy.js", server.url], in: folder)
    }
    #expect(
      output == """
        action-disabled
        Buy milk: open
        Buy milk: done
        0 left
        []

        """)
  }
}
