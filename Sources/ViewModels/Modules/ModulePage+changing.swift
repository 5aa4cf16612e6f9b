// SPDX-License-Identifier: MIT
import ObservableCore

extension ModulePage {
  private static let edges = ["top", "bottom"]

  static func isEdge(_ key: String) -> Bool { edges.contains(key) }

  func key(at index: Int) -> String {
    let keys = keys
    if !keys.indices.contains(index) {
      stopProgram(
        "no module has the index \(index)", expected: "0 to \(keys.count - 1)", remedy: "ask 'count' before")
    }
    return keys[index]
  }

  /// - Parameter index: its index afterwards; `nil` for the end.
  func insert(_ module: any Module, _ key: String?, at index: Int?) {
    let key = key ?? newKey(of: module)
    if Self.isEdge(key) {
      stopProgram(
        "a module was added under the key '\(key)', which is that of the page's own place",
        expected: "another key", remedy: "give another one, or set '\(key)'")
    }
    remove(key)
    let index = index ?? count
    if !(0...count).contains(index) {
      stopProgram(
        "a module was to have the index \(index)", expected: "0 to \(count)", remedy: "leave it out for the end")
    }
    put(module, key, at: index + (top == nil ? 0 : 1))
  }

  /// - Parameter place: its place among all modules, counted without a module that has this key.
  func put(_ module: (any Module)?, _ key: String, at place: @autoclosure () -> Int) {
    remove(key)
    guard let module else { return }
    list.insert(module, key: key, at: place())
    if held.value != .portrait { module.rotated(to: held.value) }
    refresh([module])
    if loaded.value { module.didLoad() }
    if near.value { module.willAppear() }
    if visible.value { module.didAppear() }
  }

  func remove(_ key: String) {
    guard let module = list[key] else { return }
    list.remove(key)
    if near.value {
      module.willDisappear()
      module.didDisappear()
    }
  }

  /// Tells each module when its turn comes, if it is still there: one may remove another.
  func forEach(_ tell: (any Module) -> Void) {
    for key in list.keys { if let module = list[key] { tell(module) } }
  }

  func refresh(_ modules: [any Module]) {
    var (checks, refreshes) = (0, 0)
    for module in modules {
      for item in module.items {
        checks += 1
        if item.refresh(in: held.value, hash: hash) { refreshes += 1 }
      }
    }
    checkCount.value += checks
    refreshCount.value += refreshes
  }

  private func newKey(of module: any Module) -> String {
    let kind = module.kind
    while true {
      let number = (numbers[kind] ?? 0) + 1
      numbers[kind] = number
      let key = number == 1 ? kind : "\(kind)-\(number)"
      if list[key] == nil && !Self.isEdge(key) { return key }
    }
  }
}
