// The reference of what happens on a chain: the TVM and nothing else. Messages and what they lead to are executed one after
// the other, on accounts that are kept in a table.

import { Cell as CoreCell } from '@ton/core'
import { Executor as PackageExecutor } from '@ton/sandbox'
import { type Cell, hashFromBytes, loadDict, openCell, readBoc, writeBoc } from '../../server/cell/index.ts'
import type { ChainReader } from '../../server/devchain/chain/index.ts'
import { ABSENT } from '../../server/devchain/state/index.ts'
import { loadMessageInfo, outMessagesKind, storeShardAccount, toCell } from '../../server/tlb/index.ts'
import { createConfig, createExecutor } from '../../server/tvm/index.ts'
import { toBase64 } from '../../shared/base64.ts'

export interface BareExecutor {
  /** Transactions executed for a message from outside. */
  run(message: Uint8Array): Promise<number>
}

interface Executed {
  /** In base64. */
  readonly shardAccount: string
  readonly transaction: string
}

interface Place {
  readonly config: Uint8Array
  readonly now: number
  readonly lt: bigint
}

/** Runs a message on an account, both as bags of cells. */
type Execute = (shardAccount: string, message: Uint8Array) => Executed | Promise<Executed>

/** The executor of this project: a trimmed configuration, read once. */
export async function ownExecutor({ config, now, lt }: Place): Promise<Execute> {
  const executor = await createExecutor()
  executor.setConfig(createConfig(config))
  executor.beginBlock({ now, randSeed: new Uint8Array(32) })
  return (shardAccount, message) => {
    const result = executor.transaction({ shardAccount, message, lt })
    if (!result.accepted) throw new Error(result.reason)
    return result
  }
}

/** The one of the package the TVM comes from, as it comes. */
export async function packageExecutor({ config, now, lt }: Place): Promise<Execute> {
  const executor = await PackageExecutor.create()
  const fixed = {
    config: Buffer.from(config).toString('base64'),
    libs: null,
    verbosity: 'short' as const,
    now,
    lt,
    randomSeed: Buffer.alloc(32),
    ignoreChksig: false,
    debugEnabled: false,
  }
  return async (shardAccount, message) => {
    const core = CoreCell.fromBoc(Buffer.from(message))[0] ?? CoreCell.EMPTY
    const { result } = await executor.runTransaction({ ...fixed, shardAccount, message: core })
    if (!result.success) throw new Error(result.error)
    return result
  }
}

/** Begins with the accounts as they are now. */
export async function bareExecutor(
  reader: ChainReader,
  make: (place: Place) => Promise<Execute>,
): Promise<BareExecutor> {
  const { master, shard } = reader.moment()
  const config = master.extra.config.params.root
  if (config === null) throw new Error('No configuration')
  const run = await make({ config: writeBoc(config, 0), now: shard.utime, lt: shard.lt + 1_000_001n })
  const accounts = new Map<string, string>()

  const accountOf = (id: Uint8Array, key: string): string =>
    accounts.get(key) ?? toBase64(writeBoc(toCell(shard.accounts.get(id) ?? ABSENT, storeShardAccount), 0))

  async function execute(cell: Cell, boc: Uint8Array): Promise<Cell[]> {
    const { dest } = loadMessageInfo(openCell(cell))
    if (dest?.kind !== 'std') return []
    const key = hashFromBytes(dest.hash)
    const result = await run(accountOf(dest.hash, key), boc)
    accounts.set(key, result.shardAccount)
    const transaction = readBoc(Buffer.from(result.transaction, 'base64'))
    const inner = openCell(transaction.refs[0] ?? transaction)
    inner.loadMaybeRef()
    return [...loadDict(inner, outMessagesKind).values()]
  }

  return {
    async run(message) {
      const waiting = await execute(readBoc(message), message)
      let count = 1
      for (const cell of waiting) {
        waiting.push(...(await execute(cell, writeBoc(cell, 0))))
        count++
      }
      return count
    },
  }
}
