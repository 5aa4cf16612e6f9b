// SPDX-License-Identifier: MIT
import Foundation
import Locking

/// The development of a program: it is built and served, and built anew and replaced after each edit.
final class Development {
  private let package: AppPackage
  private let arguments: [String]
  private let opensBrowser: Bool
  private let newsFile: String
  private var files: WatchedFiles
  private var news = DevelopmentNews()
  private var build: Build?
  /// Whether the program was edited since its last build began.
  private var isEdited = true
  private var app: ServedApp?
  private var takeover = Takeover()
  /// The beginning of the last build, until its program serves.
  private var unserved: ContinuousClock.Instant?
  private let heard = Locked<[ServedApp.News]>([])
  /// The words of a trap, until the report on its death has come.
  private var trap: String?

  /// The time between two looks at the files.
  private static let pause = 0.1

  init(_ package: AppPackage, pages: String, arguments: [String], opensBrowser: Bool, newsFile: String) {
    (self.package, self.arguments, self.opensBrowser, self.newsFile) = (package, arguments, opensBrowser, newsFile)
    files = WatchedFiles(sources: package.sources, pages: pages)
  }

  /// Goes on until the process ends, and the server with it.
  func run() throws -> Never {
    try news.write(to: newsFile)
    while true {
      try takeEdits()
      try takeNews()
      try takeBuild()
      if takeover.isOverdue(at: .now) { app?.replace() }
      if app?.isRunning == false { try appEnded() }
      Thread.sleep(forTimeInterval: Self.pause)
    }
  }

  // MARK: Edits and builds

  private func takeEdits() throws {
    let edits = files.look()
    if edits.isOfProgram { isEdited = true }
    if edits.pages.isEmpty { return }
    for path in edits.pages { news.edits[path, default: 0] += 1 }
    try news.write(to: newsFile)
    say("\(edits.pages.joined(separator: ", ")): the pages that use it are loaded anew")
  }

  private func takeBuild() throws {
    if let build {
      guard build.isOver else { return }
      self.build = nil
      try finish(build)
    }
    if isEdited, build == nil {
      isEdited = false
      build = try Build(package)
    }
  }

  private func finish(_ build: Build) throws {
    if let fault = build.fault() { return try tell(fault) }
    try tell(nil)
    unserved = build.began
    guard takeover.built(at: .now) else { return }
    if let app { app.replace() } else { try serve() }
  }

  /// Goes on to a build that has waited for the end of the last takeover.
  ///
  /// - Returns: whether there is one.
  private func takeNextBuild() -> Bool {
    let isNext = takeover.isOver(at: .now)
    if isNext { app?.replace() }
    return isNext
  }

  private func serve() throws {
    app = try ServedApp(try package.program(), arguments, news: newsFile) { [heard] news in
      heard.withLock { $0.append(news) }
    }
  }

  // MARK: The program

  private func takeNews() throws {
    let heard = heard.withLock { heard in
      defer { heard = [] }
      return heard
    }
    for each in heard {
      switch each {
      case .serves(let url):
        if !takeNextBuild() { sayServed() }
        if opensBrowser { Browser.open(url) }
      case .replaced:
        if !takeNextBuild() { sayServed() }
      case .notReplaced:
        if takeNextBuild() { break }
        unserved = nil
        try tell(Fault(title: "The new program does not start, and the one before goes on.", text: lastLines))
      case .threw(let text): try tell(Fault(title: "Code of the program threw an error.", text: text))
      case .trapped(let line):
        trap = line
        try tell(Fault(title: Self.death, text: line))
      case .died(let report): try tellPlace(of: report)
      }
    }
  }

  /// The server ends by itself where it cannot start, and the next edit may mend that.
  private func appEnded() throws {
    app?.end()
    app = nil
    if takeover.isOver(at: .now) { return try serve() }
    say("the program has ended; the next edit starts it again")
    unserved = nil
  }

  private var lastLines: String { app?.lastLines.joined(separator: "\n") ?? "" }

  private static let death = "The program has trapped."

  /// Adds the line of the package's own sources in which it has died: an index out of range is told with a line of
  /// Swift's library.
  private func tellPlace(of report: String) throws {
    let said = trap
    trap = nil
    // A report that comes behind the next build is of the program before.
    guard build == nil else { return }
    // Without a report the page keeps what the program itself has said.
    guard let text = try? String(contentsOfFile: report, encoding: .utf8), let place = Fault.place(in: text) else {
      return
    }
    try tell(Fault(title: Self.death, text: [said, "at \(place)"].compactMap(\.self).joined(separator: "\n")))
  }

  private func tell(_ fault: Fault?) throws {
    news.fault = fault
    try news.write(to: newsFile)
  }

  private func sayServed() {
    guard let unserved else { return }
    self.unserved = nil
    let seconds = (unserved.duration(to: .now) / .milliseconds(100)).rounded() / 10
    say("built and served after \(seconds) s")
  }

  private func say(_ text: String) { FileHandle.standardError.write(Data("euripus dev: \(text)\n".utf8)) }
}
