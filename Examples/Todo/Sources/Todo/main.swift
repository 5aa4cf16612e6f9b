// SPDX-License-Identifier: MIT
import Euripus

var configuration = ServerConfiguration()
configuration.publicDirectory = "Public"
try EuripusServer([.hosting { TodoViewModel() }], configuration: configuration).run { url in
  print("open \(url)")
}
