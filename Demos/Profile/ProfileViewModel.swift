// SPDX-License-Identifier: MIT
public import Euripus

/// Two profiles, and the forms that are open on them (S4). Those on one profile stay in step by it, not by each other.
public final class ProfileViewModel: ViewModel {
  static let mostForms = 4

  let forms = KeyedList<ProfileForm>()
  lazy var canOpen = Computed(self) { $0.forms.count < Self.mostForms }

  var profiles: [Profile.Subject: Profile] { [.lobster: lobster, .crab: crab] }
  private let lobster = Profile(
    "Lobster", motto: "Never stop growing", age: 36, height: 0.5, isPublic: true, colour: .red)
  private let crab = Profile("Crab", motto: nil, age: 7, height: 0.1, isPublic: false, colour: .green)
  private var lastForm = 0

  public init() {
    open(.lobster)
    open(.lobster)
  }

  func open(_ subject: Profile.Subject) {
    lastForm += 1
    forms.append(ProfileForm("\(lastForm)", of: subject, in: profiles), key: "\(lastForm)")
  }

  func close(_ id: String) { forms.remove(id) }

  /// Changes a profile past its forms.
  func birthday(_ subject: Profile.Subject) {
    if let age = profiles[subject]?.age { age.value = age.value.next }
  }

  public static let surface = Surface<ProfileViewModel>(
    "profile",
    about: "Two profiles, and forms that are open on them, bound both ways.",
    .list("forms", \.forms) { page, id in ProfileForm(id, of: .lobster, in: page.profiles) },
    .stored("lobster", \.lobster),
    .stored("crab", \.crab),
    .stored("lastForm", \.lastForm),
    .value("canOpen", \.canOpen),
    .action("open", ProfileViewModel.open, when: \.canOpen),
    .action("close", ProfileViewModel.close).about("Closes a form, by its id."),
    .action("birthday", ProfileViewModel.birthday).about("Makes somebody a year older, past the forms."))
}
