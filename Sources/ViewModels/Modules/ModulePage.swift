// SPDX-License-Identifier: MIT
public import ObservableCore

/// A page of modules of different kinds, in order (S2-1).
///
/// A view model has one, shows it with `.modules`, and lets the view tell it of its events:
///
/// ```swift
/// static let surface = Surface<Shop>(
///   "shop", .modules("modules", \.page), .action("willAppear", \.page.willAppear), .action("rotated", \.page.rotated))
/// ```
///
/// In the state each module has a key. Modules are told, bound and counted in order: the top one, those with an
/// index from 0, the bottom one. A change of the page is part of the transaction in which it is made.
public final class ModulePage {
  let list = KeyedList<any Module>()
  let hash: ([UInt8]) -> UInt64
  let loaded = Observable(false)
  /// True from `willAppear` to `didDisappear`. `visible` is true from `didAppear` on.
  let near = Observable(false)
  let visible = Observable(false)
  let held = Observable(Orientation.portrait)
  let target = Observable<String?>(nil)
  let checkCount = Observable(0)
  let refreshCount = Observable(0)
  /// The number of keys that were given to modules of each kind.
  var numbers: [String: Int] = [:]

  // The events of the page. The view tells them, and the page forwards each to every module (S2-6, S2-7).

  /// A view is about to show the page.
  public let willAppear = Observer<Void>()
  /// A view shows the page. If several views do, the last event counts.
  public let didAppear = Observer<Void>()
  /// The view is about to hide the page.
  public let willDisappear = Observer<Void>()
  /// The view no longer shows the page.
  public let didDisappear = Observer<Void>()
  /// A person has turned the device. The modules are told, and then the items whose content has changed are
  /// bound.
  public let rotated = Observer<Orientation>()

  /// A page without modules.
  ///
  /// - Parameter hash: tells most changed contents by their hashes; contents with equal hashes are compared
  ///   (S2-4).
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

  /// Tells the modules that the page is complete, at the first call. Call it at the end of the view model's
  /// `init`.
  public func didLoad() {
    if loaded.value { return }
    loaded.value = true
    forEach { $0.didLoad() }
  }

  // MARK: State

  /// Whether a view shows it, by the last event that a view told.
  public var isVisible: ObservableValue<Bool> { visible }
  /// The orientation of the device: portrait until a view tells another.
  public var orientation: ObservableValue<Orientation> { held }
  /// The key of the last module that the view was to jump to.
  public var jumpedTo: ObservableValue<String?> { target }
  /// The number of checks of items' contents so far.
  public var checks: ObservableValue<Int> { checkCount }
  /// The number of checks that found a change, after which the item was bound.
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

  /// The keys of the modules between those two, in order. O(count), like every method that takes an index.
  public var keys: [String] { list.keys.filter { !Self.isEdge($0) } }
  /// The number of modules that have an index.
  public var count: Int { list.count - (top == nil ? 0 : 1) - (bottom == nil ? 0 : 1) }

  /// The module at an index.
  ///
  /// - Precondition: there is a module at the index, as in every method that takes one.
  public subscript(index: Int) -> any Module {
    // The key was just read from the list.
    guard let module = list[key(at: index)] else { stopProgram(bug: "no module under a key of the page") }
    return module
  }

  // MARK: Changing it (S2-8)

  /// Adds a module at the end: see ``insert(_:key:at:)``.
  public func append(_ module: any Module, key: String? = nil) { insert(module, key, at: nil) }

  /// Inserts a module, binds its items, and tells it of the page's events until now. A module that has the same
  /// key leaves first. O(count).
  ///
  /// - Parameters:
  ///   - key: the key of the module in the state; by default its kind, and `kind-2`, `kind-3` for further ones.
  ///   - index: its index afterwards, from 0 to the number of the other modules. The top and the bottom one do not
  ///     count.
  /// - Precondition: the index is within these bounds, and the key is neither `top` nor `bottom`.
  public func insert(_ module: any Module, key: String? = nil, at index: Int) { insert(module, key, at: index) }

  /// Removes a module. If the page is visible, the module is told that it disappears.
  public func remove(at index: Int) { remove(key(at: index)) }

  /// Binds the items whose bundle's content has changed (S2-3, S2-5).
  public func refresh() { refresh(list.rows) }

  /// Does the same for the items of one module.
  public func refresh(at index: Int) { refresh([self[index]]) }

  /// Makes the view jump to a module.
  public func jump(to index: Int) { target.value = key(at: index) }
}

extension KeyedList where Row == any Module {
  /// The modules of a page.
  convenience init(name: StaticString = "", file: StaticString = #fileID, line: UInt = #line) {
    self.init(window: nil, name: name, file: file, line: line) { $0 }
  }
}

/// A hash of a content's JSON. Unlike that of Swift's `Hasher` it is the same in every process (S2-4).
public enum ContentHash {
  /// FNV-1a with 64 bits (draft-eastlake-fnv).
  public static func fnv1a(_ bytes: [UInt8]) -> UInt64 {
    bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }
}
