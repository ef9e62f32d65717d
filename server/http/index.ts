// The HTTP room: REST mirror, both JSON-RPC dialects, WebSocket, documents and health, with every bound a stranger can
// run into. It knows how to speak and whom it speaks with; what a method does is behind `Dispatch`.
export { createHttp } from './app.ts'
export { type ConnectionSeat, ConnectionSeats } from './connections/connectionSeats.ts'
export { type Entrance, type PortEntrance, portEntrance } from './connections/entrance.ts'
export { type Counting, HandedConnections, type HandedSeat } from './connections/handedConnections.ts'
export { SeatedConnections } from './connections/seatedConnections.ts'
export { defaultLimits, type HttpLimits, type HttpOptions, mostRefusals, type PluginScript } from './httpOptions.ts'
export { keysDocument } from './keys/keysDocument.ts'
export type { KeysAnswer, KeysRequest, KeysService } from './keys/keysRequest.ts'
export { createKeysService } from './keys/keysService.ts'
export type { Readiness } from './pages/createPages.ts'
export { parseJson } from './requests/json.ts'
