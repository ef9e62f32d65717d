// What one subscriber needs of the index may take long to read: others are sent what blocks bring meanwhile.

import { expect, onTestFinished, test } from 'vitest'
import { RunSettings } from '../../../server/contracts/index.ts'
import { createLiveBooks, LiveTraces, SentMessages } from '../../../server/methods/index.ts'
import { createLog, createMetrics } from '../../../server/observe/index.ts'
import { IndexFeed, readAll, type Sql, sentRead, sql } from '../../../server/store/index.ts'
import { Streaming } from '../../../server/streaming/index.ts'
import { readStreamCursor } from '../../../server/streaming/streamCursor.ts'
import { createTvmPool } from '../../../server/tvm/index.ts'
import { eventually, type Frame } from '../../setup/streams.ts'
import { prepare } from '../devchain/traffic.ts'
import { index, openNode, openStore, playOut, upToDate } from '../indexer/indexScene.ts'

const READER = 'reader'
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

/** Reads of what subscribers missed, which wait while they are held. */
class HeldReads {
  readonly #waiting: (() => void)[] = []
  isHeld = false

  get waiting(): number {
    return this.#waiting.length
  }

  async turn(): Promise<void> {
    if (this.isHeld) await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  /** Lets the first of them go on. */
  releaseOne(): void {
    this.#waiting.shift()?.()
  }

  /** One by one until `done` resolves, then all; returns how many that took. */
  async releaseUntil(done: Promise<unknown>): Promise<number> {
    let isDone = false
    void done.then(() => {
      isDone = true
    })
    let released = 0
    while (!isDone) {
      await eventually(() => this.waiting > 0 || isDone || undefined)
      this.releaseOne()
      released++
    }
    this.releaseAll()
    return released
  }

  releaseAll(): void {
    this.isHeld = false
    for (const release of this.#waiting.splice(0)) release()
  }
}

/** The messages whose traces have ended. */
async function endedIn(read: Sql): Promise<readonly string[]> {
  const named = await read.query<{ readonly hash: Uint8Array }>(sql`select hash from messages`)
  const found = await readAll(read, sentRead(named.map(({ hash }) => hash)))
  const ended = found.filter(({ state }) => state === 'complete')
  return [...new Set(ended.map(({ hash }) => Buffer.from(hash).toString('base64')))].slice(0, 20)
}

/** The masterchain block that a frame is of. */
const seqnoOf = (frame: Frame | undefined): number | undefined => readStreamCursor(String(frame?.cursor))?.mcSeqno

async function openScene() {
  const { chain, node } = await openNode()
  const database = await openStore()
  await playOut(chain, await prepare(chain, 3), 1)
  const indexer = index({ node, database })
  await upToDate(indexer, chain)
  const pool = await createTvmPool({ workers: 1 })
  onTestFinished(() => pool.close())
  const reads = { ofNamed: 0 }
  const missed = new HeldReads()
  const store: Sql = {
    async query(statement, how) {
      if (statement.text.includes('with named as')) reads.ofNamed++
      if (statement.text.includes('found (mc_seqno)')) await missed.turn()
      return await database.read.query(statement, how)
    },
  }
  const traces = new HeldTraces({ chain: node, pool, store, settings: new RunSettings(node) })
  const streaming = new Streaming({
    traces,
    store,
    sent: new SentMessages(),
    log: createLog({ format: 'json', level: 'silent' }),
    feed: new IndexFeed({ store, heads: indexer, canRewind: true }),
    metrics: createMetrics(),
    books: createLiveBooks({ store, testOnly: true }),
    reach: async () => true,
    health: async () => ({ ok: true, now: 0, components: {} }),
  })
  onTestFinished(() => streaming.close())
  const listen = async (order: object, subject = READER, isGone = () => false) => {
    const frames: Frame[] = []
    const caller = { subject, keyId: null, tier: null }
    const ready = await streaming.read(order, { transport: 'socket', caller, actionsVersion: null, isGone })
    const subscriber = streaming.begin(ready, {
      send: (text) => void frames.push(JSON.parse(text)),
      drained: async () => undefined,
      fail: () => frames.push({ type: 'failed' }),
      isClosed: false,
    })
    return { frames, end: () => streaming.end(subscriber) }
  }
  const hashes = await endedIn(database.read)
  return { traces, listen, hashes, control: chain.control, mine: () => chain.control.mine(), reads, missed }
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

test('a caller with many streams that resume does not keep the index from the one stream of another', async () => {
  const { listen, missed, mine } = await openScene()
  const live = await listen({ types: ['blocks'] })
  for (let i = 0; i < 3; i++) await mine()
  const { cursor } = await eventually(() => live.frames[0])
  const resumed = { types: ['blocks'], after: cursor }
  missed.isHeld = true
  const many = Array.from({ length: 40 }, () => listen(resumed, 'many'))
  await eventually(() => missed.waiting > 0 || undefined)
  const one = listen(resumed, 'one').then((stream) => eventually(() => stream.frames[0]))
  const released = await missed.releaseUntil(one)
  await Promise.all([...many, one])
  // Of both callers in turn: two reads for the one, and what had begun before.
  expect(released).toBeLessThan(20)
})

test('streams that ended while they waited to resume are left out: those that come afterwards do not wait for them', async () => {
  const { listen, missed, mine } = await openScene()
  const live = await listen({ types: ['blocks'] })
  await mine()
  const { cursor } = await eventually(() => live.frames[0])
  const resumed = { types: ['blocks'], after: cursor }
  missed.isHeld = true
  let haveLeft = false
  const left = Array.from({ length: 40 }, () => listen(resumed, READER, () => haveLeft).catch(String))
  await eventually(() => missed.waiting > 1 || undefined)
  await mine()
  haveLeft = true
  const coming = listen(resumed).then((stream) => eventually(() => stream.frames[0]))
  const released = await missed.releaseUntil(coming)
  const ended = await Promise.all(left)
  expect(ended.filter((one) => one === 'Error: the connection is closed').length).toBeGreaterThan(35)
  expect(released).toBeLessThan(10)
})

/** A reader that goes on behind a frame of a block that `undo` undoes, the first or a later one, and waits for what it missed. */
async function heldReader(frame: number) {
  const { listen, missed, mine, control } = await openScene()
  const live = await listen({ types: ['blocks'] })
  await mine()
  const stays = await eventually(() => seqnoOf(live.frames[0]))
  const id = await control.snapshot()
  await mine()
  const isAbove = (one: Frame) => Number(seqnoOf(one)) > stays
  const { cursor } = await eventually(() => live.frames.filter(isAbove)[frame])
  missed.isHeld = true
  const coming = listen({ types: ['blocks'], after: cursor })
  await eventually(() => missed.waiting > 0 || undefined)
  const undo = async (): Promise<void> => {
    await control.revert(id)
    // Within the same second it could be made again as it was.
    await control.increaseTime(60)
    await mine()
  }
  return { live, coming, missed, mine, undo, stays, isAbove }
}

test('a reader whose last block is undone while it waits for its turn is ended: it may not go on from what is not there', async () => {
  const { live, coming, missed, mine, undo } = await heldReader(0)
  await undo()
  await eventually(() => live.frames.find(({ type }) => type === 'chain_reverted'))
  const undone = live.frames.length
  await mine()
  await eventually(() => live.frames[undone])
  missed.releaseAll()
  const { frames } = await coming
  expect(await eventually(() => frames[0])).toEqual({ type: 'failed' })
})

test('a reader whose last block is undone while it is sent what it missed hears all that takes its place', async () => {
  const { live, coming, missed, mine, undo, stays, isAbove } = await heldReader(1)
  missed.releaseOne()
  const { frames } = await coming
  await eventually(() => missed.waiting > 0 || undefined)
  await undo()
  const since = (all: readonly Frame[]) => all.slice(all.findIndex(({ type }) => type === 'chain_reverted'))
  await eventually(() => since(live.frames).filter(isAbove)[1])
  missed.releaseAll()
  await eventually(() => frames.some(({ type }) => type === 'chain_reverted') || undefined)
  await mine()
  await eventually(() => frames.find((frame) => Number(seqnoOf(frame)) > stays + 1))
  expect(since(frames).filter(isAbove).slice(0, 2)).toEqual(since(live.frames).filter(isAbove).slice(0, 2))
})
