// SPDX-License-Identifier: MIT
public import Euripus

/// A harbour with a few boats: the values and actions that the recipes of the cookbook need.
public final class CookbookViewModel: ViewModel {
  enum Column: String, CaseIterable, JSONRepresentable { case name, length }

  static let mostBoats = 20
  private static let first = [("Aurora", 12), ("Borea", 31), ("Cormorant", 8), ("Dolphin", 24)]

  @Observed var harbour = ShortText("Chalkis")
  @Observed var isRenaming = false
  /// Words that go away by themselves.
  @Observed var toast = ""
  @Observed var tab = ShortText("boats")
  /// The words of the action that came last.
  @Observed var said = ""
  @Observed var query = ShortText("")
  lazy var found = Computed(self) { page in
    page.boats.rows.count { $0.name.text.lowercased().hasPrefix(page.query.text.lowercased()) }
  }
  let boats = KeyedList<BoatViewModel>()
  /// The column that the boats are sorted by; `nil` where a person has put them in order.
  @Observed var column: Column?
  @Observed var isDescending = false
  lazy var sortOfName = Computed(self) { $0.direction(of: .name) }
  lazy var sortOfLength = Computed(self) { $0.direction(of: .length) }
  lazy var lengths = Computed(self) { $0.boats.rows.map(\.length) }
  @Observed var newBoat = ShortText("")
  lazy var canAdd = Computed(self) { $0.boats.count < Self.mostBoats }
  /// The key of a boat that was added.
  let added = Event<String>()
  /// Rows of which a view shows a window; each is made when it is first shown.
  let departures = KeyedList<DepartureViewModel>(window: 40)
  @Observed var price = 1234.5
  @Observed var departs = "2026-11-23T14:30:00Z"
  @Observed var day = ShortText("2026-11-23")
  @Observed var scheme = ShortText("light dark")
  /// Pictures that a person has sent. The demo shows them for as long as the session keeps them.
  let photos: Uploads
  /// The list of the boats as a file, as it was when that was last written.
  @Observed var list: FileOffer?
  private lazy var show = Command(self, CookbookViewModel.showToast, policy: .latest)
  private var lastBoat = 0
  private let context: SessionContext
  private let pause: @Sendable (Duration) async throws -> Void

  /// - Parameter pause: lets time pass while a toast is shown, and while boats are looked for.
  public init(
    _ context: SessionContext,
    pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  ) {
    self.context = context
    self.pause = pause
    photos = Uploads(context, most: 3, each: .megabytes(5), types: .images)
    // Otherwise a toast would stay for ever once a restart has interrupted its time.
    Observer(self) { page, error in if error != nil { page.toast = "" } }.subscribe(show.error)
    fill()
    departures.update((1...1_000).map(String.init)) { DepartureViewModel($0) }
  }

  func rename() { isRenaming = true }

  func stopRenaming() { isRenaming = false }

  func save() { show.execute("Saved.") }

  private func showToast(_ text: String) async throws {
    toast = text
    try await pause(.seconds(4))
    toast = ""
  }

  func say(_ words: ShortText) { said = words.text }

  func look() async throws -> String {
    try await pause(.seconds(2))
    return "Boats in the harbour: \(boats.count)."
  }

  func leave() throws { try context.go(to: "/reference.html") }

  func writeList() throws {
    if let list { try context.withdraw(list) }
    let lines = boats.rows.map { "\($0.name.text), \($0.length) m\n" }
    let file = try context.offer(Array(lines.joined().utf8), named: "\(harbour.text).txt")
    list = file
    try context.go(to: file.url)
  }

  func sort(_ column: Column) {
    isDescending = self.column == column && !isDescending
    self.column = column
    boats.sort { comes($0, before: $1, by: column) }
  }

  private func comes(_ left: BoatViewModel, before right: BoatViewModel, by column: Column) -> Bool {
    let (one, other) = isDescending ? (right, left) : (left, right)
    return switch column {
    case .name: one.name.text < other.name.text
    case .length: one.length < other.length
    }
  }

  /// The order of a column; `nil` for none, as after a boat has got another name.
  private func direction(of column: Column) -> String? {
    guard self.column == column else { return nil }
    let rows = boats.rows
    let isSorted = zip(rows, rows.dropFirst()).allSatisfy { !comes($1, before: $0, by: column) }
    return isSorted ? isDescending ? "descending" : "ascending" : nil
  }

  func move(_ boat: String, to other: String) {
    guard let place = boats.index(of: other) else { return }
    boats.move(boat, to: place)
    column = nil
  }

  func moveUp(_ boat: String) {
    guard let place = boats.index(of: boat), place > 0 else { return }
    move(boat, to: boats.keys[place - 1])
  }

  func remove(_ boat: String) { boats.remove(boat) }

  func fill() {
    boats.removeAll()
    for (name, length) in Self.first { append(ShortText(name), length: length) }
    column = nil
  }

  func add() throws {
    if newBoat.text.isEmpty { return }
    append(newBoat, length: newBoat.text.count)
    (newBoat, column) = (ShortText(""), nil)
    try added.send("b\(lastBoat)")
  }

  private func append(_ name: ShortText, length: Int) {
    lastBoat += 1
    boats.append(BoatViewModel(name, length: length), key: "b\(lastBoat)")
  }

  public static let surface = Surface<CookbookViewModel>(
    "cookbook",
    about: "A harbour with a few boats, for the recipes of the cookbook.",
    .twoWay("harbour", \.$harbour),
    .value("isRenaming", \.$isRenaming),
    .action("rename", CookbookViewModel.rename),
    .action("stopRenaming", CookbookViewModel.stopRenaming),
    .value("toast", \.$toast).about("Words that go away by themselves."),
    .stored("show", \.show),
    .action("save", CookbookViewModel.save),
    .twoWay("tab", \.$tab),
    .value("said", \.$said),
    .action("say", CookbookViewModel.say),
    .twoWay("query", \.$query),
    .value("found", \.found).about("The number of boats whose names begin with the query."),
    .command("look", CookbookViewModel.look),
    .action("leave", CookbookViewModel.leave),
    .list("boats", \.boats) { _, _ in BoatViewModel(ShortText(""), length: 0) },
    .stored("lastBoat", \.lastBoat),
    .stored("column", \.$column),
    .stored("isDescending", \.$isDescending),
    .value("sortOfName", \.sortOfName),
    .value("sortOfLength", \.sortOfLength),
    .action("sort", CookbookViewModel.sort),
    .action("move", CookbookViewModel.move, takes: "boat", "to").about("Moves a boat to the place of another one."),
    .action("moveUp", CookbookViewModel.moveUp),
    .action("remove", CookbookViewModel.remove),
    .action("fill", CookbookViewModel.fill).about("Resets the boats."),
    .twoWay("newBoat", \.$newBoat),
    .value("canAdd", \.canAdd).about("Whether there are fewer boats than there may be."),
    .action("add", CookbookViewModel.add, when: \.canAdd),
    .pulse("added", \.added).about("The key of a boat that was added."),
    .value("lengths", \.lengths),
    .list("departures", \.departures, hasWindow: true).orderNotStored(),
    .value("price", \.$price),
    .value("departs", \.$departs),
    .twoWay("day", \.$day),
    .twoWay("scheme", \.$scheme),
    .uploads("photos", \.photos),
    .value("list", \.$list).about("The boats as a file, as it was when that was last written."),
    .action("writeList", CookbookViewModel.writeList))
}
