// SPDX-License-Identifier: MIT
public import ObservableCore

/// The user's place: a path, and a stack of pages. Each step of the path has a page; the root's page lies below
/// them all (S3-14).
///
/// ```swift
/// let navigation = Coordinator()
///
/// init() {
///   navigation.build(self) { app, path in app.page(at: path) }
/// }
///
/// static let surface = Surface<App>("app", .nested("navigation", \.navigation))
/// ```
///
/// It alone navigates, and has the view model of each page built; a page knows nothing of the others. A page
/// that is still on the path stays the same one. Where there is no page at a step, that step and those after it
/// are dropped: a stored path is restored as far as it still leads. A ``CoordinatedPage`` whose model goes is
/// popped in the same transaction. All of it is part of the present transaction, and goes with it if that is
/// undone.
///
/// A client sees
/// `{"path":["a","b"],"notFound":null,"canGoBack":true,"pages":{"order":["root","a","b"],"items":{…}}}`, each
/// page with its `kind`. It performs `back` and `go` (a path). The key of a page is its step, followed by a `+`
/// where an earlier page has that key.
public final class Coordinator: ViewModel {
  /// The most steps of a path that are followed, since a client may send any number of them.
  public static let maximumDepth = 100

  /// The pages, the root's first.
  public let pages = KeyedList<any ViewModel>(name: "pages")
  /// The steps that led to the pages after the root's.
  public var path: ObservableValue<[String]> { steps }
  /// The steps of the last navigation that led to no page; `nil` where all of them did lead to one.
  public var notFound: ObservableValue<[String]?> { unfollowed }
  /// Whether there is a page below the uppermost one.
  public let canGoBack: ObservableValue<Bool>

  private let steps = Observable<[String]>([], name: "path")
  private let unfollowed = Observable<[String]?>(nil, name: "notFound")
  private let firstGone: Computed<Int?>
  private var make: ([String]) -> (any ViewModel)? = { _ in nil }
  private let back = Observer<Void>()
  private let go = Observer<[String]>()

  /// A coordinator without pages.
  public init() {
    let (pages, steps) = (pages, steps)
    canGoBack = Computed(name: "canGoBack") { !steps.value.isEmpty }
    firstGone = Computed(name: "firstGone") {
      pages.rows.firstIndex { page in (try? (page as? any CoordinatedPage)?.isGone.get()) == true }
    }
    firstGone.addObserver(Observer(self) { me, _ in me.dropGonePages() })
    back.handle(self) { me, _ in me.pop() }
    go.handle(self) { me, path in me.go(to: path) }
  }

  /// Sets the function that makes the pages, and shows the root's page, whose path is empty.
  ///
  /// - Parameters:
  ///   - owner: the first argument of `make`; it is not kept alive.
  ///   - make: gives the page at a path, when the pages below it have been built; `nil` if there is none.
  public func build<Owner: AnyObject>(
    _ owner: Owner, _ make: @escaping (Owner, _ path: [String]) -> (any ViewModel)?
  ) {
    self.make = { [weak owner] path in owner.flatMap { make($0, path) } }
    go(to: [])
  }

  /// Shows the page at a path, as far as there is one. The steps after that are ``notFound``.
  ///
  /// Like an assignment it cannot throw. Inside a transaction an error of an observer reaches the code that
  /// runs the transaction; outside it the session's log has it, and without a session it ends the process.
  public func go(to path: [String]) {
    do { try transaction { show(path) } } catch {
      if hostTakes(error, of: "a coordinator going to \(path)") { return }
      stopProgram(
        "'\(error)' reached a coordinator going to \(path), which cannot throw",
        expected: "no error outside of a transaction", remedy: "go inside 'try transaction { }'")
    }
  }

  private func show(_ whole: [String]) {
    let path = whole.prefix(Self.maximumDepth)
    keep(zip(path, steps.value).prefix { $0 == $1 }.count + 1)
    var count = pages.count
    while count <= path.count, let page = make(Array(path.prefix(count))) {
      pages.append(page, key: key(path.prefix(count).last ?? "root"))
      count += 1
    }
    steps.value = Array(path.prefix(max(0, count - 1)))
    let rest = whole.dropFirst(steps.value.count).prefix(Self.maximumDepth)
    unfollowed.value = rest.isEmpty ? nil : Array(rest)
  }

  /// Shows a page above the uppermost one, if there is one at that step.
  public func push(_ step: String) { go(to: steps.value + [step]) }

  /// Shows the page below the uppermost one; the root's page stays.
  public func pop() { go(to: steps.value.dropLast()) }

  /// Pops the lowest page whose model has gone, and those above it.
  func dropGonePages() {
    if let index = firstGone.value { keep(index) }
  }

  /// Keeps the lowest `count` pages alone.
  private func keep(_ count: Int) {
    for key in pages.keys.dropFirst(count).reversed() { pages.remove(key) }
    steps.value = Array(steps.value.prefix(max(0, count - 1)))
  }

  private func key(_ step: String) -> String {
    var key = step
    while pages[key] != nil { key += "+" }
    return key
  }

  public static let surface = Surface<Coordinator>(
    "coordinator",
    .value("path", \.path).notStored(),
    .value("notFound", \.notFound).about("The steps of the last navigation that led nowhere; null where all did."),
    .value("canGoBack", \.canGoBack),
    .list("pages", \.pages).stored(as: .pages("pages")),
    .action("back", \.back, when: \.canGoBack),
    .action("go", \.go))
}

/// A page whose model may go. When that happens, its ``Coordinator`` pops the page and those above it.
public protocol CoordinatedPage: ViewModel {
  /// Whether there is nothing left for the page to show.
  var isGone: ObservableValue<Bool> { get }
}
