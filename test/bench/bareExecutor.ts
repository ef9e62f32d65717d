// The reference of what happens on a chain: the TVM and nothing else. Messages and what they lead to are executed one after
// the other, on accounts that are kept in a table.

import { type Cell, hashFromBytes, loadDict, openCell, readBoc, writeBoc } from '../../server/cell/index.ts'
import type { ChainReader } from '../../server/node/devchain/chain/index.ts'
import { ABSENT } from '../../server/node/devchain/state/index.ts'
import { loadMessageInfo, outMessagesKind, storeShardAccount, toCell } from '../../server/tlb/index.ts'
import { createConfig, createExecutor } from '../../server/tvm/index.ts'

export interface BareExecutor {
  /** Transactions executed for a message from outside. */
  run(message: Uint8Array): number
}

/** Begins with the accounts as they are now. */
export async function bareExecutor(reader: ChainReader): Promise<BareExecutor> {
  const executor = await createExecutor()
  const { master, shard } = reader.moment()
  const config = master.extra.config.params.root
  if (config === null) throw new Error('No configuration')
  executor.setConfig(createConfig(writeBoc(config, 0)))
  executor.beginBlock({ now: shard.utime, randSeed: new Uint8Array(32) })
  const accounts = new Map<string, string | Uint8Array>()
  const lt = shard.lt + 1_000_001n

  const accountOf = (id: Uint8Array, key: string): string | Uint8Array =>
    accounts.get(key) ?? writeBoc(toCell(shard.accounts.get(id) ?? ABSENT, storeShardAccount), 0)

  function execute(cell: Cell, boc: Uint8Array): Cell[] {
    const { dest } = loadMessageInfo(openCell(cell))
    if (dest?.kind !== 'std') return []
    const key = hashFromBytes(dest.hash)
    const result = executor.transaction({ shardAccount: accountOf(dest.hash, key), message: boc, lt })
    if (!result.accepted) throw new Error(result.reason)
    accounts.set(key, result.shardAccount)
    const transaction = readBoc(Buffer.from(result.transaction, 'base64'))
    const inner = openCell(transaction.refs[0] ?? transaction)
    inner.loadMaybeRef()
    return [...loadDict(inner, outMessagesKind).values()]
  }

  return {
    run(message) {
      const waiting = execute(readBoc(message), message)
      let count = 1
      for (const cell of waiting) {
        waiting.push(...execute(cell, writeBoc(cell, 0)))
        count++
      }
      return count
    },
  }
}
