import { describe, expect, test, vi } from 'vitest'
import {
  type AdnlConnection,
  AdnlError,
  type AdnlLink,
  connectAdnl,
  keepConnected,
  type LinkState,
} from '../../../../server/node/adnl/index.ts'
import { HOST, listen, ManualClock } from './adnlScene.ts'

/** A connection of words: what the layer above it does, without a socket. */
class FakeConnection implements AdnlConnection {
  readonly #listeners: ((reason: AdnlError) => void)[] = []
  readonly asked: Uint8Array[] = []
  isClosed = false

  query(bytes: Uint8Array): Promise<Uint8Array> {
    this.asked.push(bytes)
    return Promise.resolve(bytes)
  }
  onClose(listener: (reason: AdnlError) => void): void {
    this.#listeners.push(listener)
  }
  close(): void {
    this.lose('closed here')
  }
  stats(): never {
    throw new Error('not asked for')
  }
  lose(text: string): void {
    if (this.isClosed) return
    this.isClosed = true
    for (const listener of this.#listeners) listener(new AdnlError('closed', text))
  }
}

interface Scene {
  readonly clock: ManualClock
  readonly link: AdnlLink
  readonly delays: number[]
  readonly attempts: { resolve(connection: AdnlConnection): void; reject(error: Error): void; signal: AbortSignal }[]
}

function scene(random = 0.5): Scene {
  const clock = new ManualClock()
  const attempts: Scene['attempts'] = []
  const delays: number[] = []
  const link = keepConnected({
    connect: (signal) =>
      new Promise((resolve, reject) => {
        attempts.push({ resolve, reject, signal })
      }),
    clock,
    random: () => random,
    onState: (state: LinkState) => {
      if (state.kind === 'waiting') delays.push(state.delayMs)
    },
  })
  return { clock, link, delays, attempts }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
const dead = new AdnlError('connect', 'nobody there')

describe('delays', () => {
  test('double from half a second to 30 s', async () => {
    const { clock, delays, attempts } = scene()
    for (let i = 0; i < 9; i++) {
      attempts[i]?.reject(dead)
      await turn()
      clock.advance(30_000)
    }
    expect(delays).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000])
    expect(attempts).toHaveLength(10)
  })

  test.each([
    [0, 250],
    [0.999, 750],
  ])('vary: %f', async (random, delay) => {
    const { attempts, delays } = scene(random)
    attempts[0]?.reject(dead)
    await turn()
    expect(delays).toEqual([delay])
  })

  test('grow too when connections are taken and dropped, and begin anew after a long one', async () => {
    const { clock, delays, attempts } = scene()
    for (const lastedMs of [0, 1000, 29_000, 30_000, 0]) {
      const connection = new FakeConnection()
      attempts.at(-1)?.resolve(connection)
      await turn()
      clock.advance(lastedMs)
      connection.lose('dropped')
      clock.advance(30_000)
    }
    expect(delays).toEqual([500, 1000, 2000, 500, 1000])
  })
})

describe('queries', () => {
  test('wait for an attempt that is under way', async () => {
    const { link, attempts } = scene()
    const query = link.query(Uint8Array.of(1))
    const connection = new FakeConnection()
    attempts[0]?.resolve(connection)
    expect(await query).toEqual(Uint8Array.of(1))
    expect(await link.query(Uint8Array.of(2))).toEqual(Uint8Array.of(2))
    expect(link.state.kind).toBe('connected')
  })

  test('error: no longer than their timeout, or their signal', async () => {
    const { clock, link } = scene()
    const late = link.query(Uint8Array.of(1), { timeoutMs: 1000 })
    const aborter = new AbortController()
    const aborted = link.query(Uint8Array.of(1), { signal: aborter.signal })
    clock.advance(1000)
    aborter.abort()
    await expect(late).rejects.toMatchObject({ code: 'timeout' })
    await expect(aborted).rejects.toMatchObject({ code: 'aborted' })
  })

  test('error: between attempts they fail at once, with the reason', async () => {
    const { link, attempts } = scene()
    const query = link.query(Uint8Array.of(1))
    attempts[0]?.reject(dead)
    await expect(query).rejects.toBe(dead)
    await expect(link.query(Uint8Array.of(1))).rejects.toMatchObject({
      code: 'connect',
      message: 'not connected: nobody there',
    })
  })
})

describe('closing', () => {
  test('ends the attempt, and a connection that comes all the same', async () => {
    const { clock, link, attempts } = scene()
    link.close()
    expect(attempts[0]?.signal.aborted).toBe(true)
    const connection = new FakeConnection()
    attempts[0]?.resolve(connection)
    await turn()
    expect(connection.isClosed).toBe(true)
    expect([link.state.kind, clock.timers]).toEqual(['closed', 0])
    await expect(link.query(Uint8Array.of(1))).rejects.toMatchObject({ code: 'closed' })
  })

  test('ends the wait for the next attempt', async () => {
    const { clock, link, attempts } = scene()
    attempts[0]?.reject(dead)
    await turn()
    link.close()
    expect([link.state.kind, clock.timers, attempts.length]).toEqual(['closed', 0, 1])
  })
})

test('a server that goes and comes back', async () => {
  const first = await listen()
  const { port, key } = first
  const link = keepConnected({
    connect: (signal) => connectAdnl({ host: HOST, port, key, signal }),
    firstDelayMs: 5,
  })
  expect(await link.query(Uint8Array.of(1, 2))).toEqual(Uint8Array.of(2, 1))
  await first.close()
  await vi.waitFor(() => expect(link.state.kind).not.toBe('connected'), { timeout: 60_000 })
  await listen({ port })
  await vi.waitFor(async () => expect(await link.query(Uint8Array.of(3, 4))).toEqual(Uint8Array.of(4, 3)), {
    timeout: 60_000,
  })
  link.close()
})
