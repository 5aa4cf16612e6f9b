// SPDX-License-Identifier: MIT
import RegexBuilder

/// A package that `new` makes: the files of a folder in `Templates`, of which the names are replaced.
struct Template {
  /// The names that the template's own package and module have.
  let name: PackageName
  let files: [NewFile]

  static func app() throws(PackageName.Refused) -> Template {
    Template(name: try PackageName("starter"), files: NewFile.app)
  }

  /// The counter of the README.
  static func minimal() throws(PackageName.Refused) -> Template {
    Template(name: try PackageName("tally"), files: NewFile.counter)
  }

  /// The files of a new package, with those of the client.
  func files(named name: PackageName, dependency: Dependency) -> [NewFile] {
    let own = files.map { file in
      var file = file
      file.path = renamed(file.path, name)
      file.text = renamed(file.text, name)
        .replacing(#".package(name: "euripus", path: "../..")"#, with: dependency.item)
        .replacing(".build/checkouts/euripus", with: dependency.sources)
      return file
    }
    return own + NewFile.client
  }

  /// In one pass: the new name may have the template's name in it.
  private func renamed(_ text: String, _ new: PackageName) -> String {
    let names = Regex {
      ChoiceOf {
        name.module
        name.text
      }
    }
    return text.replacing(names) { $0.0 == name.module ? new.module : new.text }
  }
}
