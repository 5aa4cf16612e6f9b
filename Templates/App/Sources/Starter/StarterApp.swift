import EuripusApp

/// The program. `swift run` serves the page, and `swift run Starter --help` lists all commands.
@main struct StarterApp: EuripusApp {
  static let abstract = "A shopping list."

  @Option(help: "The folder of the copies that people keep.")
  var copies = stateDirectory("copies")

  var models: Models {
    hosting { [copies] in ShoppingList(keepCopy: ListFolder(path: copies).keep) }
  }
}
