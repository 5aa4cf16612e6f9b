// SPDX-License-Identifier: MIT
import Euripus

/// The values that the forms show and edit, of several types (S4-5). It knows of no form, and no client sees it: its
/// surface is there for the stored values.
final class Profile: ViewModel {
  enum Subject: String, CaseIterable, JSONRepresentable { case lobster, crab }
  enum Colour: String, CaseIterable, JSONRepresentable { case red, blue, green }

  /// An age in years, from 0 to 100. Any other is refused where somebody writes it.
  struct Age: Equatable, JSONRepresentable {
    static let range = 0...100
    static let jsonTypeName = "integer from 0 to 100"
    static let jsonSchema = JSONSchema.integer(in: range)
    let years: Int

    /// A year more; 100 stays 100.
    var next: Age { Age(years: min(years + 1, Self.range.upperBound)) }
  }

  let name: Observable<String>
  let motto: Observable<String?>
  let age: Observable<Age>
  let height: Observable<Double>
  let isPublic: Observable<Bool>
  let colour: Observable<Colour>
  /// Cannot be written, so it can only be bound one way (S4-10).
  lazy var summary = Computed(self) { profile in
    profile.isPublic.value
      ? "\(profile.name.value), \(profile.age.value.years), \(profile.colour.value.rawValue)"
      : "This profile is private"
  }

  init(_ name: String, motto: String?, age: Int, height: Double, isPublic: Bool, colour: Colour) {
    self.name = Observable(name)
    self.motto = Observable(motto)
    self.age = Observable(Age(years: age))
    self.height = Observable(height)
    self.isPublic = Observable(isPublic)
    self.colour = Observable(colour)
  }

  static let surface = Surface<Profile>(
    "values",
    .stored("name", \.name),
    .stored("motto", \.motto),
    .stored("age", \.age),
    .stored("height", \.height),
    .stored("isPublic", \.isPublic),
    .stored("colour", \.colour))
}

extension Profile.Age {
  init(json: JSON) throws(JSONMismatch) {
    guard let years = try? Int(json: json) else { throw JSONMismatch(expected: Self.jsonTypeName, found: json) }
    guard Self.range ~= years else { throw JSONMismatch(expected: Self.jsonTypeName, found: "\(years)") }
    self.init(years: years)
  }

  func write(to writer: inout JSONWriter) { writer.integer(years) }
}
