// A chain of one's own whose contracts are distinguished as they come.

import { onTestFinished } from 'vitest'
import { beginCell, type Cell, hashToHex, openCell, type StdAddress } from '../../../../server/cell/index.ts'
import type { Deployment } from '../../../../server/devchain/contracts/index.ts'
import type { Devchain } from '../../../../server/devchain/index.ts'
import type { Indexer, IndexerOptions } from '../../../../server/indexer/index.ts'
import type { Call, Handlers, WritingHandlers } from '../../../../server/methods/call.ts'
import { NO_MODIFIERS } from '../../../../server/methods/modifiers.ts'
import { assetHandlers } from '../../../../server/methods/v3/assets/assets.ts'
import { createSideObjects } from '../../../../server/methods/v3/names/sideObjects.ts'
import { Written } from '../../../../server/methods/written.ts'
import type { AccountId, Chain } from '../../../../server/node/index.ts'
import { type Database, type SqlRow, sql } from '../../../../server/store/index.ts'
import { createTvmPool, type TvmPool } from '../../../../server/tvm/index.ts'
import type { assets } from '../../../../shared/v3/assets/assets.ts'
import { addressCell } from '../../../setup/madeContracts.ts'
import { index, openNode, openStore, upToDate } from '../indexScene.ts'

export const coin = 1_000_000_000n

/** An account with this byte all over the account id. */
export const person = (byte: number): AccountId => ({ workchain: 0, hash: new Uint8Array(32).fill(byte) })

export const keyOf = ({ workchain, hash }: AccountId): string =>
  `${(workchain + 128).toString(16).padStart(2, '0')}${Buffer.from(hash).toString('hex')}`

/** A request to a jetton wallet to transfer 40 units. */
export const transferTo = (receiver: StdAddress, queryId: bigint): Cell =>
  beginCell()
    .storeUint(0x0f8a7ea5, 32)
    .storeUint(queryId, 64)
    .storeCoins(40n)
    .storeSlice(openCell(addressCell(receiver)))
    .storeUint(0, 2)
    .storeBit(0)
    .storeCoins(0n)
    .storeBit(0)
    .end()

interface Sending {
  readonly from: AccountId
  readonly to: AccountId | Deployment
  readonly value?: bigint
  readonly body?: Cell
  readonly bounce?: boolean
}

const named = ({ workchain, hash }: AccountId) => ({ workchain, id: hash })

/** No one in particular asks. */
export const call: Call = {
  caller: { subject: 'a test', keyId: null, tier: null },
  requestId: 'a test',
  signal: new AbortController().signal,
  timeoutMs: 300_000,
  modifiers: NO_MODIFIERS,
}

type AssetMethods = WritingHandlers<typeof assets>

/** The same methods with results that are values. */
function unwritten(handlers: AssetMethods): Handlers<typeof assets> {
  const known = Object.entries(handlers) as [string, (params: never, call: Call) => Promise<unknown>][]
  const plain = known.map(([name, run]) => [
    name,
    async (params: never, call: Call) => {
      const result = await run(params, call)
      return result instanceof Written ? JSON.parse(result.json) : result
    },
  ])
  // The cast: the same names, and the results that the texts are of.
  return Object.fromEntries(plain) as Handlers<typeof assets>
}

export class AssetScene {
  readonly chain: Devchain
  readonly node: Chain
  readonly pool: TvmPool
  readonly database: Database
  readonly indexer: Indexer

  private constructor(parts: Pick<AssetScene, 'chain' | 'node' | 'pool' | 'database' | 'indexer'>) {
    this.chain = parts.chain
    this.node = parts.node
    this.pool = parts.pool
    this.database = parts.database
    this.indexer = parts.indexer
  }

  static async open(options: Partial<IndexerOptions> = {}): Promise<AssetScene> {
    const { chain, node } = await openNode()
    const pool = await createTvmPool({ workers: 1 })
    onTestFinished(() => pool.close())
    const database = await openStore()
    const indexer = index({ node, database, pool, ...options })
    return new AssetScene({ chain, node, pool, database, indexer })
  }

  /** The same chain, indexed from its beginning. */
  async again(): Promise<AssetScene> {
    const { chain, node, pool } = this
    const database = await openStore()
    return new AssetScene({ chain, node, pool, database, indexer: index({ node, database, pool }) })
  }

  /** Delivers a message and all that follows from it. */
  async send({ from, to, value = coin, body, bounce = true }: Sending): Promise<void> {
    const deployed = 'address' in to ? to : null
    await this.chain.control.sendInternal({
      from: named(from),
      to: named('address' in to ? to.address : to),
      value,
      bounce,
      ...(body === undefined ? {} : { body }),
      ...(deployed && {
        init: { code: deployed.code, data: deployed.data, library: null, special: null, fixedPrefixLength: null },
      }),
    })
  }

  async place(address: AccountId, code: Cell, data: Cell): Promise<void> {
    await this.chain.control.setAccount({ ...named(address), balance: coin, code, data })
  }

  upToDate(): Promise<void> {
    return upToDate(this.indexer, this.chain)
  }

  /** The v3 methods that list tokens, once the index is up to date. */
  async methods() {
    await this.upToDate()
    const { read: store } = this.database
    return unwritten(assetHandlers(store, createSideObjects({ store, testOnly: true })))
  }

  /** All rows of a table once the index is up to date, bytes as hex. */
  async rows(table: string, order = 'last_tx_lt, account'): Promise<Readonly<Record<string, unknown>>[]> {
    const rows = await this.storedRows(table, order)
    return rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plain(value)])))
  }

  /** As the database has them. */
  async storedRows(table: string, order: string): Promise<readonly SqlRow[]> {
    await this.upToDate()
    return await this.database.read.query<SqlRow>(
      sql`select * from ${sql.identifier(table)} order by ${sql.raw(order)}`,
    )
  }

  readonly events = (table: string) => this.rows(table, 'tx_lt')
}

const plain = (value: unknown): unknown =>
  value instanceof Uint8Array ? Buffer.from(value).toString('hex') : Array.isArray(value) ? value.map(plain) : value

export const hashHex = (cell: Cell): string => hashToHex(cell.hash())
