// What a connection of a client gets from its listener.

import type { Turns } from '../../fairness/index.ts'
import type { Clock } from '../systemClock.ts'
import type { Identity } from './adnlIdentity.ts'
import type { ListenerLimits } from './adnlLimits.ts'

/** Who sent a query. */
export interface AdnlPeer {
  /** Of the connection, unique in this process. */
  readonly number: number
  readonly address: string
  /** Of the key the client authenticated with, or null. */
  readonly keyId: Uint8Array | null
  /** Aborted when the connection ends: the answer is no longer needed. */
  readonly signal: AbortSignal
}

/** Bytes of the answer, or null for none: the public node is silent when bytes are no query to a lite server. */
export type OnQuery = (query: Uint8Array, peer: AdnlPeer) => Promise<Uint8Array | null>

export type PeerEnd = 'theirs' | 'hello' | 'protocol' | 'silence' | 'unread' | 'crowded' | 'closing'

export interface PeerParts {
  readonly number: number
  readonly address: string
  readonly identity: Identity
  readonly limits: ListenerLimits
  readonly clock: Clock
  /** Where connections with much to read wait. */
  readonly turns: Turns
  readonly onQuery: OnQuery
  /** `onQuery` failed. */
  readonly onError: (error: unknown) => void
  /** A packet was queued to be sent. */
  readonly onUnsent: (peer: { readonly unsent: number }) => void
  readonly onEnd: (reason: PeerEnd) => void
  /** The connection has ended, and no query of it is in flight. */
  readonly onGone: () => void
}
