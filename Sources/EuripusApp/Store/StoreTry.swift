// SPDX-License-Identifier: MIT
import ArgumentParser
import Euripus
import Storing
import ViewModels

/// `store try`: shows the fate of the stored sessions with this program, before it serves them.
struct StoreTry<App: EuripusApp>: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "try", abstract: "Makes each stored session again with this program, and writes nothing.",
      discussion: """
        Says which sessions would be refused, and which would come out different from what is stored, with the places in their \
        states, and no value of these. What migrations and secrets change is no difference, nor is an entry that is new. The code \
        of the view models runs, as after a restart, but no command does. Exit status: 0 if all sessions would be as they are, 1 if \
        the store cannot be looked at, 2 if some would be refused or come out different.
        """)
  }

  @OptionGroup(title: "Options of this program")
  var app: App

  @OptionGroup var place: StorePlace<App>

  @Flag(help: "One JSON array, with an object for each session that is not closed.")
  var json = false

  func run() throws {
    let types = Dictionary(uniqueKeysWithValues: try app.hostedModels().map { ($0.name, $0) })
    let progress = Progress()
    let tally = try place.look { store throws(StoreError) in
      if json { StandardOutput.write("[") }
      let tally = try trial(of: store, types, progress)
      if json { StandardOutput.write("]") }
      return tally
    }
    progress.end()
    if !json { for line in tally.lines(place.address.description) { StandardOutput.write(line) } }
    if tally.refused + tally.different > 0 { throw ExitCode(2) }
  }

  /// The number of sessions that are read at a time; each may be large.
  private static var page: Int { 100 }

  private func trial(
    of store: any OperatedStore, _ types: [String: HostedModelType], _ progress: Progress
  ) throws(StoreError) -> TrialTally {
    var tally = TrialTally()
    var last: String?
    while true {
      let sessions = try store.read(after: last, limit: Self.page)
      for session in sessions {
        guard let line = TrialLine(session, types) else {
          tally.closed += 1
          continue
        }
        let isFirst = tally.count == 0
        tally.add(line)
        if json {
          StandardOutput.write((isFirst ? " " : ",") + line.json)
        } else if let text = line.text {
          progress.end()
          StandardOutput.write(text)
        }
      }
      progress.show("tried \(tally.count) sessions")
      guard let end = sessions.last?.id, sessions.count == Self.page else { return tally }
      last = end
    }
  }
}
