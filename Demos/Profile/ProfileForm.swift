// SPDX-License-Identifier: MIT
import Euripus

/// One form on a profile: the values of its fields, each bound both ways, and one line that is bound one way (S4-10).
final class ProfileForm: ViewModel {
  let id: Observable<String>
  /// The profile that is edited; another one binds all fields anew (S4-8).
  let subject: Observable<Profile.Subject>
  let name = Observable("")
  let motto = Observable<String?>(nil)
  let age = Observable(Profile.Age(years: 0))
  let height = Observable(0.0)
  let isPublic = Observable(false)
  let colour = Observable(Profile.Colour.red)
  let summary = Observable("")
  /// The number of values that it was told so far: none is an echo of its own (S4-4).
  let told = Observable(0)

  private let profiles: [Profile.Subject: Profile]
  private lazy var binding = Binding<ProfileForm, Profile>(self)

  init(_ id: String, of subject: Profile.Subject, in profiles: [Profile.Subject: Profile]) {
    self.id = Observable(id)
    self.subject = Observable(subject)
    self.profiles = profiles
    bind(\.name, name)
    bind(\.age, age)
    bind(\.height, height)
    bind(\.isPublic, isPublic)
    bind(\.colour, colour)
    // Not by `bind`, whose binding would not see that it is an optional: one that is missing is not told (S4-2).
    binding.bind(\.motto) { form, motto in form.tell(form.motto, motto) }
    listen(to: motto, \.motto)
    binding.bind(\.summary) { form, summary in form.tell(form.summary, summary) }
    self.subject.addObserver(Observer(self) { form, subject in form.show(subject) }, replay: true)
  }

  /// Two ways are one way and a listener to what the person does.
  private func bind<Value>(_ key: KeyPath<Profile, Observable<Value>>, _ field: Observable<Value>) {
    binding.bind(key) { form, value in form.tell(field, value) }
    listen(to: field, key)
  }

  private func listen<Value>(to field: Observable<Value>, _ key: KeyPath<Profile, Observable<Value>>) {
    field.addObserver(Observer(self) { form, value in try form.binding.update(key, value) })
  }

  private func tell<Value>(_ field: Observable<Value>, _ value: Value) {
    field.value = value
    told.value += 1
  }

  func didRestore() { binding.model = profiles[subject.value] }

  private func show(_ subject: Profile.Subject) {
    // A motto that is missing is not told (S4-2), and the one before must not stay.
    motto.value = nil
    binding.model = profiles[subject]
  }

  static let surface = Surface<ProfileForm>(
    "form",
    .value("id", \.id),
    .twoWay("subject", \.subject),
    .twoWay("name", \.name),
    .twoWay("motto", \.motto),
    .twoWay("age", \.age),
    .twoWay("height", \.height),
    .twoWay("isPublic", \.isPublic),
    .twoWay("colour", \.colour),
    .value("summary", \.summary),
    .value("told", \.told))
}
