// A chain of 120,000 transactions over 400 accounts and its index, for the benchmarks of long chains. Filling it takes
// minutes: LONG_CHAIN=folder keeps it there and uses it again.

import { existsSync } from 'node:fs'
import { cp, mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openDevchain } from '../../server/devchain/index.ts'
import { fillChain } from '../setup/load.ts'
import { loadLine } from './compare.ts'
import { type Started, spawnOurs, stop } from './started.ts'
import { settled } from './timedLoad.ts'

export const TRANSACTIONS = Number(process.env.TRANSACTIONS ?? 120_000)
const WALLETS = 400
/** Texts are stored with pauses of some seconds while the index is new. */
const STILL_S = 10

export interface LongChain {
  /** A data folder whose chain a service may change. */
  readonly data: string
  remove(): Promise<void>
}

async function fill(data: string): Promise<void> {
  // Nothing is lost that could not be made again.
  const chain = await openDevchain({ folder: join(data, 'chain'), idleBlockMs: 3_600_000, sync: 'interval' })
  try {
    await timed('filled', () => fillChain(chain, { transactions: TRANSACTIONS, seed: 7, wallets: WALLETS }))
  } finally {
    await chain.close()
  }
  const service = await spawnOurs(data, ['--mining', 'manual'])
  await timed('indexed', () => indexed(service))
  // Texts of transactions are stored and the archive is packed after that.
  await timed('settled', () => settled(service.child.pid ?? 0, STILL_S))
  await stop(service)
}

async function timed(what: string, work: () => Promise<unknown>): Promise<void> {
  const began = performance.now()
  await work()
  const seconds = (performance.now() - began) / 1000
  const rate = (TRANSACTIONS / seconds).toFixed(0)
  console.log(`${TRANSACTIONS} transactions ${what} in ${seconds.toFixed(0)} s, ${rate} a second; ${loadLine()}`)
}

/** Resolves when the index has all blocks of the chain. */
export async function indexed({ port }: Pick<Started, 'port'>): Promise<void> {
  for (;;) {
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
    const [, lag] = /^tonrpc_index_lag_blocks (\d+)$/m.exec(text) ?? []
    const [, seqno] = /^tonrpc_index_seqno (\d+)$/m.exec(text) ?? []
    if (lag === '0' && Number(seqno) > 1) return
    await pause(250)
  }
}

/** A copy of the chain that is kept, or one made for this run. */
export async function longChain(): Promise<LongChain> {
  const data = await mkdtemp(join(tmpdir(), 'tonrpc-bench-'))
  const remove = () => rm(data, { recursive: true, force: true })
  const kept = process.env.LONG_CHAIN
  if (kept === undefined) await fill(data)
  else {
    if (!existsSync(kept)) {
      const draft = `${kept}.draft`
      await rm(draft, { recursive: true, force: true })
      await fill(draft)
      await rename(draft, kept)
    }
    await cp(kept, data, { recursive: true })
  }
  return { data, remove }
}
