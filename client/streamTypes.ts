// Subscriptions of a stream and what it brings.

import type { Action, AddressBook, Block, JettonWallet, Message, Metadata, Trace, Transaction } from './api.ts'
import type { TransportError } from './rpcErrors.ts'

export interface StreamOptions {
  /** The service's base or its full `/jsonRPC` address. */
  readonly url: string
  readonly apiKey?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly fetch?: typeof fetch | undefined
  readonly types: readonly StreamType[]
  readonly addresses?: readonly string[] | undefined
  readonly trace_external_hash_norms?: readonly string[] | undefined
  /** For `messages`: first 32 bits of bodies, as hex digits or numbers. Without `addresses` of all accounts, where the key may. */
  readonly opcodes?: readonly (string | number)[] | undefined
  readonly min_finality?: 'pending' | 'confirmed' | 'finalized' | undefined
  readonly action_types?: readonly string[] | undefined
  readonly supported_action_types?: readonly string[] | undefined
  readonly include_address_book?: boolean | undefined
  readonly include_metadata?: boolean | undefined
  /** Cursor of a notification: everything after it comes first. */
  readonly after?: string | undefined
  /** Gives `progress` notifications, too. */
  readonly progress?: boolean | undefined
  /** Ends the iteration. */
  readonly signal?: AbortSignal | undefined
  /**
   * Called for each failure that is tried again: the service is down, busy or over its limits (`status` 429), or the connection
   * ended. What it throws ends the iteration.
   */
  readonly onSetback?: ((failure: TransportError) => void) | undefined
  /** Until a connection on which nothing came is opened anew. Default 45 s: the service says something every 15. 0 is no limit. */
  readonly silenceMs?: number | undefined
}

/** Of one trace. Names and tokens are there when the subscription requests them. */
interface OfTrace {
  trace_external_hash_norm: string
  address_book?: AddressBook
  metadata?: Metadata
}

/** In the names of `v3.nft.transfers`. */
interface NftChange {
  nft_address: string
  nft_collection: string | null
  old_owner: string | null
  new_owner: string | null
  transaction_hash: string
  transaction_lt: string
  transaction_now: number
  trace_id: string
}

interface Fields {
  /** Those of the accounts in one trace, the newest first. */
  transactions: OfTrace & { transactions: Transaction[] }
  /** Those of the opcodes, the newest first. */
  messages: OfTrace & { messages: Message[] }
  actions: OfTrace & { actions: Action[] }
  /** `trace` is null where the tree is too deep; of a trace that is too large all transactions are left out. */
  trace: OfTrace & {
    is_incomplete?: true
    warning?: string
    trace: Trace['trace'] | null
    transactions: Record<string, Transaction>
    actions?: Action[]
  }
  account_state_change: { account: string; state: Transaction['account_state_after'] }
  jettons_change: Omit<OfTrace, 'trace_external_hash_norm'> & { jetton: JettonWallet }
  /** An item that has got another owner; null is none, as before it was minted. */
  nfts_change: Omit<OfTrace, 'trace_external_hash_norm'> & { nft: NftChange }
  blocks: { block: Block }
  /** One of each masterchain block. */
  heads: { head: Pick<Block, 'workchain' | 'shard' | 'seqno' | 'root_hash' | 'file_hash' | 'gen_utime' | 'end_lt'> }
  /** What was reported of it below `finalized` does not happen. */
  trace_invalidated: { trace_external_hash_norm: string }
  /** What came from later blocks is void. */
  chain_reverted: { mc_seqno: number }
  /** With option `progress`, at the start and as blocks are made: nothing more comes from before this cursor. */
  progress: { cursor: string }
  /** A type that this version does not know: its text is just that type. */
  [unlisted: `${string} (unlisted)`]: object
}

/** What can be subscribed to. */
export type StreamType = Exclude<keyof Fields, 'chain_reverted' | 'progress' | `${string} (unlisted)`>

/** The type decides the other fields. */
export type StreamNotification = {
  [T in keyof Fields]: Fields[T] & {
    type: T
    finality?: 'pending' | 'confirmed' | 'finalized'
    /** Of a finalized one, for `after`. */
    cursor?: string
    [field: string]: unknown
  }
}[keyof Fields]
