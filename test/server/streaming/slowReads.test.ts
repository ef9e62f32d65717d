// What one subscriber needs of the index may take long to read: others are sent what blocks bring meanwhile.

import { expect, onTestFinished, test } from 'vitest'
import { RunSettings } from '../../../server/contracts/index.ts'
import { createLiveBooks, LiveTraces, SentMessages } from '../../../server/methods/index.ts'
import { createLog, createMetrics } from '../../../server/observe/index.ts'
import { IndexFeed, readAll, type Sql, sentRead, sql } from '../../../server/store/index.ts'
import { Streaming } from '../../../server/streaming/index.ts'
import { createTvmPool } from '../../../server/tvm/index.ts'
import { eventually, type Frame } from '../../setup/streams.ts'
import { prepare } from '../devchain/traffic.ts'
import { index, openNode, openStore, playOut, upToDate } from '../indexer/indexScene.ts'

const KEYLESS = { subject: 'reader', keyId: null, tier: null }
const MANY = 1000

/** Whole traces are read one by one, each when the test says so. */
class HeldTraces extends LiveTraces {
  #release = (): void => undefined
  readonly #released = new Promise<void>((resolve) => {
    this.#release = resolve
  })
  begun = 0

  release(): void {
    this.#release()
  }

  override async ofHash(...of: Parameters<LiveTraces['ofHash']>): ReturnType<LiveTraces['ofHash']> {
    this.begun++
    await this.#released
    return await super.ofHash(...of)
  }
}

/** The messages whose traces have ended. */
async function endedIn(read: Sql): Promise<readonly string[]> {
  const named = await read.query<{ readonly hash: Uint8Array }>(sql`select hash from messages`)
  const found = await readAll(read, sentRead(named.map(({ hash }) => hash)))
  const ended = found.filter(({ state }) => state === 'complete')
  return [...new Set(ended.map(({ hash }) => Buffer.from(hash).toString('base64')))].slice(0, 20)
}

async function openScene() {
  const { chain, node } = await openNode()
  const database = await openStore()
  await playOut(chain, await prepare(chain, 3), 1)
  const indexer = index({ node, database })
  await upToDate(indexer, chain)
  const pool = await createTvmPool({ workers: 1 })
  onTestFinished(() => pool.close())
  const reads = { ofNamed: 0 }
  const store: Sql = {
    query(statement, how) {
      if (statement.text.includes('with named as')) reads.ofNamed++
      return database.read.query(statement, how)
    },
  }
  const traces = new HeldTraces({ chain: node, pool, store, settings: new RunSettings(node) })
  const streaming = new Streaming({
    ...{ traces, store, sent: new SentMessages(), log: createLog({ format: 'json', level: 'silent' }) },
    feed: new IndexFeed({ store, heads: indexer, canRewind: true }),
    ...{ metrics: createMetrics(), books: createLiveBooks({ store, testOnly: true }) },
    reach: async () => true,
    health: async () => ({ ok: true, now: 0, components: {} }),
  })
  onTestFinished(() => streaming.close())
  const listen = async (order: object) => {
    const frames: Frame[] = []
    const ready = await streaming.read(order, { transport: 'socket', caller: KEYLESS, actionsVersion: null })
    const subscriber = streaming.begin(ready, {
      send: (text) => void frames.push(JSON.parse(text)),
      ...{ drained: async () => undefined, fail: () => frames.push({ type: 'failed' }), isClosed: false },
    })
    return { frames, end: () => streaming.end(subscriber) }
  }
  const hashes = await endedIn(database.read)
  return { traces, listen, hashes, mine: () => chain.control.mine(), reads }
}

test('blocks are reported while traces that another subscriber named are read', async () => {
  const { traces, listen, hashes, mine } = await openScene()
  const blocks = await listen({ types: ['blocks'] })
  const named = await listen({ types: ['trace'], trace_external_hash_norms: hashes })
  await eventually(() => traces.begun > 0 || undefined)
  await mine()
  await eventually(() => blocks.frames[0])
  expect(named.frames).toEqual([])
  traces.release()
  await eventually(() => traces.begun === hashes.length || undefined)
  await eventually(() => named.frames.some(({ finality }) => finality === 'finalized') || undefined)
})

test('nothing is read any more for a subscription that has ended', async () => {
  const { listen, reads, mine } = await openScene()
  const others = Array.from({ length: MANY }, (_, i) => Buffer.alloc(32, `${i} `).toString('base64'))
  const blocks = await listen({ types: ['blocks'] })
  const named = await listen({ types: ['trace'], trace_external_hash_norms: others })
  await eventually(() => reads.ofNamed > 0 || undefined)
  named.end()
  const then = reads.ofNamed
  for (let i = 0; i < 3; i++) {
    await mine()
    await eventually(() => blocks.frames[i])
  }
  expect(reads.ofNamed).toBeLessThanOrEqual(then + 1)
})
