// SPDX-License-Identifier: MIT

// What an app imports: the graph, the surface, and the server that hosts them.
@_exported public import EuripusServer
@_exported public import enum HTTPListening.HTTPListeningError
@_exported public import struct HTTPListening.TLSIdentity
@_exported public import JSONPatching
@_exported public import ObservableCore
@_exported public import SQLiteSessions
@_exported public import struct Sessions.SessionStorage
@_exported public import ViewModels
