// Whether an index belongs to the chain that this process follows. Every process checks it before it reads or writes: two
// chains of one network name differ in their zerostates alone.

import { base64Of, sameBytes } from '../cell/index.ts'
import type { Chain, ReadOptions } from '../node/index.ts'
import {
  bareText,
  type Database,
  type IdentityRow,
  type IndexState,
  type MasterBlockRows,
  SCHEMA_STEP,
} from '../store/index.ts'
import { IndexerError } from './indexerError.ts'

export type ChainIdentity = Omit<IdentityRow, 'globalId'>

/** What the first batch of a new index writes. */
export function identityOf({ blocks }: MasterBlockRows, identity: ChainIdentity): IdentityRow {
  const [first] = blocks
  if (first === undefined) throw new Error('A batch without a block')
  return { ...identity, globalId: first.globalId }
}

/** The identity of the chain a node serves, fetched once. */
export class OwnChain {
  readonly network: string
  /** How an operator chooses another index, for messages. */
  readonly elsewhere: string
  readonly #chain: Pick<Chain, 'head'>
  #fetching: Promise<void> | null = null
  #known: ChainIdentity | null = null

  constructor(chain: Pick<Chain, 'head'>, network: string, kind: Database['kind']) {
    this.#chain = chain
    this.network = network
    this.elsewhere = kind === 'pglite' ? 'another data folder with --data' : 'another database with --database'
  }

  /** Null until it was fetched. */
  get known(): ChainIdentity | null {
    return this.#known
  }

  /** Rejects while the node does not answer. */
  async identity(options: ReadOptions): Promise<ChainIdentity> {
    if (this.#known !== null) return this.#known
    const { rootHash, fileHash } = (await this.#chain.head(options)).zerostate
    this.#known = { network: this.network, genesisRootHash: rootHash, genesisFileHash: fileHash }
    return this.#known
  }

  /** Fetches it unless a fetch is in flight. Never rejects: a later call retries. */
  fetch(options: ReadOptions): Promise<void> {
    this.#fetching ??= this.identity(options)
      .then(
        () => undefined,
        () => undefined,
      )
      .finally(() => {
        this.#fetching = null
      })
    return this.#fetching
  }
}

const waysOut = (elsewhere: string): string =>
  `choose ${elsewhere}, or forget what is in this one and index this chain with --reindex-from 1`

/** Names that any chain may go by; which one it is says its first state alone. */
const ANY_CHAIN: readonly string[] = ['devnet', 'custom']

const isSameNetwork = (a: string, b: string): boolean => a === b || (ANY_CHAIN.includes(a) && ANY_CHAIN.includes(b))

/** Throws IndexerError when the index is of another network, is being restored, or has tables of a newer version of this program. */
export function checkNetwork(
  { schemaStep, bareTable, identity, cursor }: IndexState,
  { network, elsewhere }: Pick<OwnChain, 'network' | 'elsewhere'>,
): void {
  if (schemaStep > SCHEMA_STEP)
    throw new IndexerError(
      'schema',
      `the tables of the index are of version ${schemaStep}, this program knows versions up to ${SCHEMA_STEP}: ` +
        `start the newer version of it, or choose ${elsewhere}`,
    )
  if (bareTable !== null) throw new IndexerError('restoring', bareText(bareTable))
  const found = identity?.network ?? cursor?.network ?? network
  if (!isSameNetwork(found, network))
    throw new IndexerError(
      'network',
      `the database holds the index of ${found}, not of ${network}: choose ${elsewhere}`,
    )
}

/** Throws IndexerError when the index began with another first state than the chain did. */
export function checkGenesis({ identity }: IndexState, own: ChainIdentity, elsewhere: string): void {
  if (identity === null) return
  const { genesisRootHash, genesisFileHash } = identity
  if (sameBytes(genesisRootHash, own.genesisRootHash) && sameBytes(genesisFileHash, own.genesisFileHash)) return
  throw new IndexerError(
    'chain',
    `the database holds the index of another chain: its genesis has root hash ${base64Of(genesisRootHash)} and file hash ` +
      `${base64Of(genesisFileHash)}, that of this chain ${base64Of(own.genesisRootHash)} and ${base64Of(own.genesisFileHash)}: ` +
      waysOut(elsewhere),
  )
}

/** The refusal of an index without identity, by a block of it. */
export const otherBlock = (
  seqno: number,
  [indexed, own]: readonly [indexed: Uint8Array, own: Uint8Array],
  elsewhere: string,
): IndexerError =>
  new IndexerError(
    'chain',
    `the database holds the index of another chain: its masterchain block ${seqno} has root hash ${base64Of(indexed)}, that ` +
      `of this chain ${base64Of(own)}: ${waysOut(elsewhere)}`,
  )
