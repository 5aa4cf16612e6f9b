// SPDX-License-Identifier: MIT
public import EuripusServer
public import ViewModels

extension EuripusServer {
  /// A server that describes itself at `/openapi.json`.
  ///
  /// - Parameter models: the view models to host, each with a name of its own.
  public convenience init(
    _ models: [HostedModelType], configuration: ServerConfiguration = ServerConfiguration()
  ) {
    self.init(models, configuration: configuration, describe: { OpenAPIDocument($0, $1).json })
  }
}
