// The end of a pool, whatever its servers are doing at that moment.

import { expect, onTestFinished, test, vi } from 'vitest'
import type { LiteOptions } from '../../../../server/node/index.ts'
import { createServerPool, type LiteConnection, type ServerAddress } from '../../../../server/node/pool/index.ts'
import { VirtualClock } from './virtualClock.ts'

const addressOf = (name: string): ServerAddress => ({
  name,
  host: name,
  port: 1,
  key: new Uint8Array(32),
  slices: null,
})

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }

/** It answers nothing. */
function connectionTo(onClosed: () => void = () => undefined): LiteConnection {
  const unanswered = ({ signal }: LiteOptions = {}): Promise<never> =>
    new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new Error('given up'))))
  // The cast: no other verb is called.
  return { masterchainInfo: unanswered, onClose: () => undefined, close: onClosed } as unknown as LiteConnection
}

function clockOfTest(): VirtualClock {
  const clock = new VirtualClock()
  onTestFinished(() => clock.close())
  return clock
}

const endOf = (closing: Promise<void>, clock: VirtualClock): Promise<string> =>
  Promise.race([closing.then(() => 'closed'), clock.sleep(60_000).then(() => 'waits')])

test.each(Array.from({ length: 10 }, (_, i) => i))(
  'behavior: it does not wait for a connection that was opened %i turns before',
  async (turns) => {
    const clock = clockOfTest()
    const closed = vi.fn()
    const opened = new Promise<LiteConnection>(
      (resolve) => void clock.sleep(100).then(() => resolve(connectionTo(closed))),
    )
    const servers = [addressOf('one')]
    const pool = createServerPool({ servers, connect: () => opened, log: silent, clock })
    await opened
    for (let i = 0; i < turns; i++) await null
    expect(await endOf(pool.close(), clock)).toBe('closed')
    expect(closed).toHaveBeenCalled()
  },
)

test.each([
  ['away', () => Promise.reject(new Error('refused'))],
  ['left out', () => Promise.resolve(connectionTo())],
])('behavior: it does not wait for a server that is %s, and is dropped in the same turn', async (how, connect) => {
  const clock = clockOfTest()
  const pool = createServerPool({ servers: [addressOf('one')], connect, log: silent, clock })
  if (how === 'left out') pool.drop('one', 'a lie')
  await clock.sleep(100)
  const closing = pool.close()
  pool.drop('one', 'another lie')
  expect(await endOf(closing, clock)).toBe('closed')
})

test('behavior: work on each of many servers listens to the end of the pool without a warning', async () => {
  const clock = clockOfTest()
  const servers = Array.from({ length: 20 }, (_, i) => addressOf(`server${i}`))
  const pool = createServerPool({ servers, connect: async () => connectionTo(), log: silent, clock })
  const warned = vi.fn()
  process.on('warning', warned)
  onTestFinished(() => void process.off('warning', warned))
  const outcomes = pool.each?.((server) => server.masterchainInfo())
  await clock.sleep(100)
  await pool.close()
  expect(await outcomes).toHaveLength(20)
  const leaks = warned.mock.calls.map(([{ name }]) => name as string).filter((name) => /MaxListeners/.test(name))
  expect(leaks).toEqual([])
})
