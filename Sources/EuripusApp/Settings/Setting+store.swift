// SPDX-License-Identifier: MIT

extension Setting {
  /// The place where sessions are kept. It is shown without the password that it may have.
  static let store = Setting(
    name: "store",
    help:
      "The file, or the PostgreSQL database, in which sessions survive a restart; by default that of the variable DATABASE_URL, if any",
    valueName: "file or URL", unit: "", expected: StoreAddress.expected, isList: false,
    show: { $0.store?.description ?? "" },
    set: { settings, texts in
      guard let text = texts.last, !text.isEmpty else { return false }
      let address = StoreAddress(text, shared: settings.sharedStore)
      if address.isClear { settings.store = address }
      return address.isClear
    }, mayHavePassword: true, platformVariable: "DATABASE_URL")
}
