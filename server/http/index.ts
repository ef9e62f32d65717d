// The HTTP room: REST mirror, both JSON-RPC dialects, WebSocket, documents and health, with every bound a stranger can
// run into. It knows how to speak and whom it speaks with; what a method does is behind `Dispatch`.
export { createHttp } from './app.ts'
export { type ConnectionSeat, ConnectionSeats } from './connectionSeats.ts'
export type { Readiness } from './createPages.ts'
export { type Entrance, type PortEntrance, portEntrance } from './entrance.ts'
export { type Counting, HandedConnections, type HandedSeat } from './handedConnections.ts'
export { defaultLimits, type HttpLimits, type HttpOptions, type PluginScript } from './httpOptions.ts'
export { parseJson } from './json.ts'
export { keysDocument } from './keysDocument.ts'
export type { KeysAnswer, KeysRequest, KeysService } from './keysRequest.ts'
export { createKeysService } from './keysService.ts'
export { SeatedConnections } from './seatedConnections.ts'
