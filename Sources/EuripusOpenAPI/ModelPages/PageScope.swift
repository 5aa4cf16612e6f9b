// SPDX-License-Identifier: MIT
import ViewModels

/// The place of a part of the view model on its page.
struct PageScope {
  /// The start of the part's paths, from the page's root or the row around it: `navigation/`, or nothing.
  var path = ""
  /// Whether the part is in a row. Nothing there has an id, as every row would have the same.
  var isInRow = false
  /// The level of the headings of its parts.
  var level = 2
  /// The surfaces around it. A surface within itself is shown once.
  var within: [SurfaceDescription.Identity] = []
  /// Whether several people may write its texts.
  let isShared: Bool

  /// The scope of a view model within this one.
  func nested(_ name: String, _ surface: SurfaceDescription) -> PageScope {
    var scope = self
    scope.path += name + "/"
    scope.level = min(level + 1, 6)
    scope.within.append(surface.identity)
    return scope
  }

  /// The scope of a row of a list here.
  func row(_ surface: SurfaceDescription) -> PageScope {
    var scope = self
    (scope.path, scope.isInRow) = ("", true)
    scope.within.append(surface.identity)
    return scope
  }

  /// An id of this page for an entry; `nil` in a row. No name of an entry has a dot or a colon.
  ///
  /// - Parameter part: the part of what the entry needs on the page.
  func id(_ name: String, _ part: String = "") -> String? {
    isInRow ? nil : path.replacing("/", with: ".") + name + (part.isEmpty ? "" : ":" + part)
  }

  /// The heading of a part: one that has an id, or in a row a text.
  func heading(_ words: String, id: String?) -> Markup {
    isInRow ? .tag("p", ["class": "name"], words) : .tag("h\(level)", ["id": id], words)
  }
}
