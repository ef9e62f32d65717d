// Methods of v3 over a chain that was forked off a network: accounts a call names are read from the network and indexed before.

import { parseAddress } from '../../../shared/address.ts'
import { LogFull } from '../../devchain/index.ts'
import { ownerOfSignal } from '../../fairness/index.ts'
import { addressOfKey } from '../../methods/index.ts'
import type { ChainService } from '../chain/chainService.ts'
import type { IndexService } from '../database/indexService.ts'

interface NamedAccount {
  readonly workchain: number
  readonly hash: Uint8Array
}

/** Of one call; each may be a read of a lite server. */
const MOST_ACCOUNTS = 64
/** A call that could not wait answers what is indexed. */
const MOST_WAIT_MS = 5_000

type Params = Readonly<Record<string, unknown>>
type Handler = (params: Params, call: { readonly signal: AbortSignal }) => unknown

/** Bytes of the key of an account; a hash has one less. */
const KEY_BYTES = 33

const isAccount = (value: unknown): value is NamedAccount =>
  typeof value === 'object' &&
  value !== null &&
  'workchain' in value &&
  'hash' in value &&
  value.hash instanceof Uint8Array

/** However a method takes it. */
function accountOf(value: unknown): NamedAccount | null {
  if (typeof value === 'string') return parseAddress(value)
  if (value instanceof Uint8Array) return value.length === KEY_BYTES ? addressOfKey(value) : null
  return isAccount(value) ? value : null
}

function accountsIn(params: Params): readonly NamedAccount[] {
  const found: NamedAccount[] = []
  for (const value of Object.values(params).flat()) {
    const account = accountOf(value)
    if (account !== null) found.push(account)
    if (found.length === MOST_ACCOUNTS) break
  }
  return found
}

/** With a full disk what is indexed is answered. */
function ofWhatIsThere(error: unknown): null {
  if (error instanceof LogFull) return null
  throw error
}

/** The same handlers for a chain of its own. */
export function bringingAccounts<H extends object>(
  handlers: H,
  { bring }: Pick<ChainService, 'bring'>,
  index: Pick<IndexService['view'], 'waitFor'>,
): H {
  if (bring === undefined) return handlers
  const wrapped = Object.entries(handlers).map(([name, handler]: [string, Handler]) => {
    if (!name.startsWith('v3.')) return [name, handler]
    const bringing: Handler = async (params, call) => {
      const seqno = await bring(accountsIn(params), ownerOfSignal(call.signal)).catch(ofWhatIsThere)
      if (seqno !== null) await index.waitFor(seqno, { signal: call.signal, timeoutMs: MOST_WAIT_MS })
      return await handler(params, call)
    }
    return [name, bringing]
  })
  // The cast: each has the params and the result it had.
  return Object.fromEntries(wrapped) as H
}
