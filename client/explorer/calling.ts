// How the page calls the service: with the API key of this tab when it has one; and whether its calls are refused for their
// number, or for the key.

import { signal } from '@preact/signals'
import { isObject } from '../../shared/isObject.ts'
import { isTransportError, postTransport, type RpcReply, type Transport } from '../index.ts'
import { BASE } from './pageBoot.ts'

/** The reference pages keep it under the same name. */
const KEY_NAME = 'tonrpc.key'

function readKey(): string | undefined {
  try {
    return sessionStorage.getItem(KEY_NAME) || undefined
  } catch {
    // Some private modes have no storage.
    return undefined
  }
}

export const apiKey = readKey()

/** Uses another key, or none. Everything is read again with it. */
export function setKey(key: string): void {
  if (key === '') sessionStorage.removeItem(KEY_NAME)
  else sessionStorage.setItem(KEY_NAME, key)
  location.reload()
}

/** Why calls were refused last; null while they are not. */
export const lastRefusal = signal<'slowed' | 'key' | null>(null)

const RATE_LIMITED = -32005
const KEY_KINDS: ReadonlySet<unknown> = new Set(['unauthorized', 'forbidden'])

function note({ error }: RpcReply): void {
  if (!isObject(error)) return
  if (error.code === RATE_LIMITED) lastRefusal.value = 'slowed'
  else if (apiKey !== undefined && isObject(error.data) && KEY_KINDS.has(error.data.kind)) lastRefusal.value = 'key'
}

const post = postTransport({ url: BASE.href, apiKey })

export const transport: Transport = async (requests, signal) => {
  const replies = await post(requests, signal).catch((error: unknown) => {
    if (isTransportError(error) && error.status === 429) lastRefusal.value = 'slowed'
    throw error
  })
  for (const reply of replies) note(reply)
  return replies
}
