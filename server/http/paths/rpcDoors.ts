import type { RpcDoor } from '../requests/parsedCall.ts'

/** Paths of JSON-RPC. */
export const RPC_DOORS: ReadonlyMap<string, RpcDoor> = new Map([
  ['/jsonRPC', 'strict'],
  ['/api/v2/jsonRPC', 'toncenter'],
])
