// The owner of the webhooks of a request: its key, or the programs that control an embedded chain.

import { ApiError } from '../../shared/errors.ts'
import { type Caller, streamLimitsOf } from '../access/index.ts'

export interface Owner {
  /** Empty for the programs that control an embedded chain. */
  readonly name: string
  readonly webhooks: number
  /** Accounts of one webhook. */
  readonly addresses: number
  /** Whether one may be about all accounts. */
  readonly allAccounts: boolean
}

const NO_KEY =
  'webhooks belong to a key: send it as header X-API-Key, as Authorization: Bearer, or as query parameter token'

/** Accounts of one webhook, whatever the plan of its key allows. */
const MOST_ADDRESSES = 100_000

/** Throws ApiError `unauthorized` without a key. */
export function ownerOf({ caller, mayControl }: { readonly caller: Caller; readonly mayControl: boolean }): Owner {
  if (caller.keyId === null && !mayControl) throw new ApiError('unauthorized', NO_KEY)
  const { addresses, webhooks } = streamLimitsOf(caller.keyId === null ? null : caller.tier)
  const allAccounts = caller.keyId === null || caller.allAccounts === true
  return { name: caller.keyId ?? '', webhooks, addresses: Math.min(addresses, MOST_ADDRESSES), allAccounts }
}
