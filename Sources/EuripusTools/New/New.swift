// SPDX-License-Identifier: MIT
import ArgumentParser

/// `new`: makes a package with an app.
struct New: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "new", abstract: "Makes a package with an app, its page and its tests.",
    discussion: """
      'new shopping-list' makes the folder 'shopping-list'. The package in it has the module 'ShoppingList', a copy of the \
      client's files in 'Public', a Dockerfile, a workflow and a dev container. 'swift run' in it serves its page.
      """)

  @Argument(help: "The name of the package: letters, digits and hyphens.")
  var name: String

  @Flag(help: "One view model, one page, one test.")
  var minimal = false

  @Option(help: ArgumentHelp("The folder of the package. (default: its name)", valueName: "folder"))
  var directory: String?

  @Option(
    help: ArgumentHelp(
      "The repository of Euripus: its address, or a folder that has a copy of it.", valueName: "place"))
  var euripus = Dependency.address

  func validate() throws {
    do { _ = try PackageName(name) } catch { throw ValidationError(error.description) }
  }

  func run() throws {
    let name = try PackageName(name)
    let template = try minimal ? Template.minimal() : Template.app()
    let files = template.files(named: name, dependency: Dependency(euripus))
    let folder = NewFolder(path: directory ?? name.text)
    try folder.write(files)
    print(Self.report(of: files, in: folder.path, isPublished: euripus != Dependency.address))
  }

  /// A path as a shell reads it.
  private static func quoted(_ path: String) -> String {
    let isPlain = path.wholeMatch(of: #/[A-Za-z0-9_.\/+@:,][A-Za-z0-9_.\/+@:,-]*/#) != nil
    return isPlain ? path : "'\(path.replacing("'", with: #"'\''"#))'"
  }

  /// The lines that say what was made, and what comes next.
  ///
  /// - Parameter isPublished: whether Euripus can be had where the package looks for it.
  static func report(of files: [NewFile], in folder: String, isPublished: Bool) -> String {
    let client = Set(NewFile.client.map(\.path))
    let own = files.map(\.path).filter { !client.contains($0) }
    let hint = """
      Euripus is not published yet, so Package.swift has an address that leads nowhere. Write there
        .package(name: "euripus", path: "FOLDER")
      with the folder of your copy, or make the package with --euripus FOLDER.
      """
    return """
      Made \(folder):
      \(own.map { "  \($0)" }.joined(separator: "\n"))
      and a copy of Euripus' client in Public. Next:
        cd \(quoted(folder))
        swift run       # builds it, which takes minutes the first time, and serves its page
        euripus dev     # or this: it also opens the page, and takes each edit\(isPublished ? "" : "\n\n" + hint)
      """
  }
}
