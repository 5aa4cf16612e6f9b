// SPDX-License-Identifier: MIT
import ViewModels

/// The texts of a view model's properties that are values, by their names, and of those of its superclasses.
struct PlainProperties {
  private var texts: [String: String] = [:]

  init(of model: any ViewModel) {
    var mirror: Mirror? = Mirror(reflecting: model)
    while let present = mirror {
      for case (let label?, let value) in present.children where !Self.isMadeLate(label) {
        if Mirror(reflecting: value).displayStyle != .class { texts[label] = String(reflecting: value) }
      }
      mirror = present.superclassMirror
    }
  }

  /// Whether a property is made when it is first used.
  private static func isMadeLate(_ label: String) -> Bool { label.hasPrefix("$__lazy_storage_$_") }

  /// The properties that are others now, in words.
  func differences(to now: PlainProperties) -> [String] {
    texts.sorted { $0.key < $1.key }.compactMap { name, text in
      guard let other = now.texts[name], other != text else { return nil }
      return "'\(name)' is \(other), and was \(text)"
    }
  }
}
