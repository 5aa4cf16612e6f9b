// SPDX-License-Identifier: MIT
public import ObservableCore

/// A page of modules of different kinds, in order (S2-1).
///
/// A view model has one, shows it with `.modules`, and lets the view say what happens to it:
///
/// ```swift
/// static let surface = Surface<Shop>(
///   "shop", .modules("modules", \.page), .action("willAppear", \.page.willAppear), .action("rotated", \.page.rotated))
/// ```
///
/// Modules are in the state under a key each, and are told, bound and counted in order: the top one, those with an index
/// from 0, the bottom one. What changes the page is part of the transaction in which it is done.
public final class ModulePage {
  let list = KeyedList<any Module>()
  let hash: ([UInt8]) -> UInt64
  let loaded = Observable(false)
  /// True from `willAppear` to `didDisappear`; `visible` from `didAppear` on.
  let near = Observable(false)
  let visible = Observable(false)
  let held = Observable(Orientation.portrait)
  let target = Observable<String?>(nil)
  let checkCount = Observable(0)
  let refreshCount = Observable(0)
  /// How many keys each kind was given.
  var numbers: [String: Int] = [:]

  // The events of the page, for the view to tell; each is forwarded to every module (S2-6, S2-7).

  /// A view is about to show the page.
  public let willAppear = Observer<Void>()
  /// A view shows the page. With several views the last that said something is believed.
  public let didAppear = Observer<Void>()
  /// The view is about to show the page no more.
  public let willDisappear = Observer<Void>()
  /// The view shows the page no more.
  public let didDisappear = Observer<Void>()
  /// The device was turned: the modules are told, and then their items are bound that show something else now.
  public let rotated = Observer<Orientation>()

  /// A page without modules.
  ///
  /// - Parameter hash: by which contents are told apart at first; equal ones are compared (S2-4).
  public init(hash: @escaping ([UInt8]) -> UInt64 = ContentHash.fnv1a) {
    self.hash = hash
    willAppear.handle(self) { page, _ in
      page.near.value = true
      page.forEach { $0.willAppear() }
    }
    didAppear.handle(self) { page, _ in
      page.near.value = true
      page.visible.value = true
      page.forEach { $0.didAppear() }
    }
    willDisappear.handle(self) { page, _ in page.forEach { $0.willDisappear() } }
    didDisappear.handle(self) { page, _ in
      page.near.value = false
      page.visible.value = false
      page.forEach { $0.didDisappear() }
    }
    rotated.handle(self) { page, orientation in
      page.held.value = orientation
      page.forEach { $0.rotated(to: orientation) }
      page.refresh()
    }
  }

  /// Tells the modules that the page is complete, the first time that it is called: at the end of its view model's `init`.
  public func didLoad() {
    if loaded.value { return }
    loaded.value = true
    forEach { $0.didLoad() }
  }

  // MARK: What it is

  /// Whether a view shows it, as far as one said.
  public var isVisible: ObservableValue<Bool> { visible }
  /// The orientation of the device, upright until a view says otherwise.
  public var orientation: ObservableValue<Orientation> { held }
  /// The key of the module that was last jumped to.
  public var jumpedTo: ObservableValue<String?> { target }
  /// The number of looks at items' contents so far.
  public var checks: ObservableValue<Int> { checkCount }
  /// The number of those looks that found a change, so that the item was bound.
  public var refreshes: ObservableValue<Int> { refreshCount }

  /// The module above all others, under the key `top` (S2-9).
  public var top: (any Module)? {
    get { list["top"] }
    set { put(newValue, "top", at: 0) }
  }

  /// The module below all others, under the key `bottom`.
  public var bottom: (any Module)? {
    get { list["bottom"] }
    set { put(newValue, "bottom", at: list.count) }
  }

  /// The keys of the modules between those two, in order. O(count), as is all that takes an index.
  public var keys: [String] { list.keys.filter { !Self.isEdge($0) } }
  /// The number of modules that have an index.
  public var count: Int { list.count - (top == nil ? 0 : 1) - (bottom == nil ? 0 : 1) }

  /// The module at an index.
  ///
  /// - Precondition: there is one, here and wherever an index is asked for.
  public subscript(index: Int) -> any Module {
    // The key was just read from the list.
    guard let module = list[key(at: index)] else { stopProgram(bug: "no module under a key of the page") }
    return module
  }

  // MARK: Changing it (S2-8)

  /// Adds a module at the end: see ``insert(_:key:at:)``.
  public func append(_ module: any Module, key: String? = nil) { insert(module, key, at: nil) }

  /// Inserts a module, binds its items, and tells it of the page's events until now. One that has this key goes
  /// first.
  ///
  /// - Parameters:
  ///   - key: by default its kind, and from the second on `kind-2`, `kind-3`.
  ///   - index: counted without the module that goes.
  public func insert(_ module: any Module, key: String? = nil, at index: Int) { insert(module, key, at: index) }

  /// Takes a module out; if the page is visible, the module is told that it disappears.
  public func remove(at index: Int) { remove(key(at: index)) }

  /// Binds the items whose bundle has another content now (S2-3, S2-5).
  public func refresh() { refresh(list.rows) }

  /// The same, for the items of one module.
  public func refresh(at index: Int) { refresh([self[index]]) }

  /// Has the view show a module.
  public func jump(to index: Int) { target.value = key(at: index) }
}
