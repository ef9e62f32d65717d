// How the page reaches the service: calls of one tick as one request, with the API key of this tab when it has one, and
// the feed of blocks. A page comes with its data: this is loaded when the view is there.

import { isObject } from '../../shared/isObject.ts'
import { createClient, isTransportError, postTransport, type RpcReply, type Transport } from '../index.ts'
import { apiKey, lastRefusal } from './calling.ts'
import { BASE } from './pageBoot.ts'
// From the first block on, rows move under a press.
import './parts/pressed.ts'

export { openFeed } from './openFeed.ts'

const RATE_LIMITED = -32005
const KEY_KINDS: ReadonlySet<unknown> = new Set(['unauthorized', 'forbidden'])

function note({ error }: RpcReply): void {
  if (!isObject(error)) return
  if (error.code === RATE_LIMITED) lastRefusal.value = 'slowed'
  else if (apiKey !== undefined && isObject(error.data) && KEY_KINDS.has(error.data.kind)) lastRefusal.value = 'key'
}

const post = postTransport({ url: BASE.href, apiKey })

const transport: Transport = async (requests, signal) => {
  const replies = await post(requests, signal).catch((error: unknown) => {
    if (isTransportError(error) && error.status === 429) lastRefusal.value = 'slowed'
    throw error
  })
  for (const reply of replies) note(reply)
  return replies
}

const client = createClient({ transport })

/** Calls a method by its name: `v3.jetton.wallets` is a path in the client, which makes a function of any path. */
export function call(name: string, params: unknown): unknown {
  const method: unknown = name.split('.').reduce((at, part) => Reflect.get(at, part), client)
  return typeof method === 'function' ? method(params) : undefined
}
