import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { Frames } from '../../client/frames.ts'
import { shouldRetry } from '../../client/retry.ts'
import { failure, type Item, success } from './stubService.ts'

function setUp() {
  const frames = new Frames(() => {})
  const written: Item[][] = []
  const stop = new AbortController()
  const send = (...ids: number[]) =>
    frames.send(
      (text) => written.push([JSON.parse(text)].flat()),
      ids.map((id) => ({ jsonrpc: '2.0', id, method: 'm', params: {} })),
      stop.signal,
    )
  const receive = (body: unknown) => frames.receive(JSON.stringify(body))
  const wire = (frame: number) => (written[frame] ?? []).map(({ id }) => id)
  return { frames, send, receive, wire, stop }
}

describe('createFrames', () => {
  test('default: answers find their message, and come back under their own ids', async () => {
    const { send, receive, wire } = setUp()
    const one = send(1)
    const batch = send(7, 8)
    const same = send(1)
    expect(new Set([...wire(0), ...wire(1), ...wire(2)]).size).toBe(4)
    receive(success(wire(2)[0], 'same'))
    receive(wire(1).map((id) => success(id, id)))
    receive(success(wire(0)[0], 'one'))
    expect(await one).toMatchObject([{ id: 1, result: 'one' }])
    expect(await same).toMatchObject([{ id: 1, result: 'same' }])
    expect(await batch).toMatchObject([{ id: 7 }, { id: 8 }])
  })

  test('behavior: what is missing from an array does not come later', async () => {
    const { send, receive, wire } = setUp()
    const batch = send(1, 2)
    receive([success(wire(0)[1], 'two')])
    expect(await batch).toMatchObject([{ id: 2, result: 'two' }])
  })

  test('behavior: notifications and unknown ids are ignored', async () => {
    const { send, receive, wire } = setUp()
    const one = send(1)
    for (const body of [
      { jsonrpc: '2.0', method: 'event' },
      success(99, 1),
      success('1', 1),
      [],
      null,
      5,
      'x',
      [null],
    ]) {
      receive(body)
    }
    receive(success(wire(0)[0], 'mine'))
    expect(await one).toMatchObject([{ result: 'mine' }])
  })

  test('behavior: a refusal without id is that of the messages beyond the limit it names', async () => {
    const { send, receive, wire } = setUp()
    const small = send(1)
    const large = send(2, 3, 4)
    receive(failure(null, 'batchTooLarge', { limit: 2 }))
    expect(await large).toMatchObject([{ id: null, error: { data: { limit: 2 } } }])
    receive(success(wire(0)[0], 1))
    expect(await small).toMatchObject([{ result: 1 }])
  })

  test('behavior: every other refusal without id is that of the only message', async () => {
    const { send, receive } = setUp()
    const only = send(2, 3)
    receive(failure(null, 'busy'))
    expect(await only).toMatchObject([{ id: null, error: { data: { kind: 'busy' } } }])
  })

  test('behavior: so is one with a limit of something else, and one of a server that says no more than a text', async () => {
    const { send, receive } = setUp()
    const first = send(2, 3)
    receive(failure(null, 'bodyTooLarge', { limit: 1_000_000 }))
    expect(await first).toMatchObject([{ id: null, error: { data: { kind: 'bodyTooLarge' } } }])
    const second = send(4)
    const error = { code: -32600, message: 'Invalid Request' }
    receive({ jsonrpc: '2.0', id: null, error })
    expect(await second).toMatchObject([{ id: null, error }])
  })

  test('behavior: of several messages none is known to be refused: what changes something is not sent again', async () => {
    const { send, receive } = setUp()
    const both = [send(1), send(2, 3)]
    const failures = both.map((one) => one.catch((error: unknown) => error))
    receive(failure(null, 'rateLimited', { retryAfter: 7 }))
    for (const error of await Promise.all(failures)) {
      const text = expect.stringMatching(/^one of 2 messages .* id: /)
      // What may come again waits as long as the service wants.
      expect(error).toMatchObject({ reason: 'network', text, retryAfter: 7 })
      expect([shouldRetry(error), shouldRetry(error, true)]).toEqual([true, false])
    }
  })

  test('behavior: a refusal may be that of a message whose caller has left, or whose calls are sent again', async () => {
    const { frames, send, receive, wire } = setUp()
    const stop = new AbortController()
    const request = { jsonrpc: '2.0', id: 9, method: 'm', params: {} } as const
    const left = frames.send(() => undefined, [request], stop.signal).catch(() => 'left')
    stop.abort()
    expect(await left).toBe('left')
    const both = [send(1), send(2)].map((one) => one.catch((error: unknown) => error))
    receive(failure(null, 'rateLimited'))
    expect(await Promise.all(both)).toMatchObject([{ reason: 'network' }, { reason: 'network' }])
    // Two of three have no answer yet.
    const third = send(3).catch((error: unknown) => error)
    receive(failure(null, 'rateLimited'))
    expect(await third).toMatchObject({ reason: 'network' })
    // Of two one is answered late, the other refused with nothing in flight: the next refusal is that of what was sent since.
    receive(success(wire(1)[0], 'late'))
    receive(failure(null, 'rateLimited'))
    const last = send(4)
    receive(failure(null, 'busy'))
    expect(await last).toMatchObject([{ id: null, error: { data: { kind: 'busy' } } }])
  })

  test('behavior: one that is known to be of another message does not answer for one whose caller has left', async () => {
    const { frames, send, receive } = setUp()
    const stop = new AbortController()
    const request = { jsonrpc: '2.0', id: 9, method: 'm', params: {} } as const
    const left = frames.send(() => undefined, [request], stop.signal).catch(() => 'left')
    stop.abort()
    expect(await left).toBe('left')
    const large = send(2, 3, 4)
    receive(failure(null, 'batchTooLarge', { limit: 2 }))
    expect(await large).toMatchObject([{ id: null }])
    // It may be that of the first message.
    const one = send(1).catch((error: unknown) => error)
    receive(failure(null, 'rateLimited'))
    expect(await one).toMatchObject({ reason: 'network' })
  })

  test('error: not JSON', async () => {
    const { frames, send } = setUp()
    const both = [send(1), send(2)]
    frames.receive('<h1>Hi</h1>')
    for (const one of both) await expect(one).rejects.toMatchObject({ reason: 'reply' })
  })

  test('error: the socket breaks; the longest message may be why', async () => {
    const { frames, send } = setUp()
    const both = [send(1), send(2, 3)]
    frames.fail(({ longest }) => (longest ? 'longest' : 'other'))
    await expect(both[0]).rejects.toBe('other')
    await expect(both[1]).rejects.toBe('longest')
    frames.fail(() => 'no connection is left')
  })

  test('behavior: the signal ends the wait, a late answer is ignored', async () => {
    const { send, receive, wire, stop } = setUp()
    const one = send(1)
    stop.abort('enough')
    await expect(one).rejects.toBe('enough')
    receive(success(wire(0)[0], 'late'))
    await expect(send(2)).rejects.toBe('enough')
    expect(wire(1)).toEqual([])
  })
})

describe('a socket that falls silent', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
  afterEach(() => void vi.useRealTimers())

  function counted() {
    let silences = 0
    const frames = new Frames(() => {
      silences++
    })
    const send = (stop: AbortController) =>
      frames
        .send(() => undefined, [{ jsonrpc: '2.0', id: 1, method: 'm', params: {} }], stop.signal)
        .catch(() => 'left')
    return { frames, send, silences: () => silences }
  }

  test('behavior: is noticed by the caller who gives up, also after it has answered another one', async () => {
    const { frames, send, silences } = counted()
    const first = new AbortController()
    const second = new AbortController()
    const answered = send(first)
    const waiting = send(second)
    frames.receive(JSON.stringify(success(1, 'first')))
    expect(await answered).toMatchObject([{ result: 'first' }])
    vi.advanceTimersByTime(10_000)
    second.abort()
    expect(await waiting).toBe('left')
    expect(silences()).toBe(1)
  })

  test('default: is not silent while it is heard', async () => {
    const { frames, send, silences } = counted()
    const stop = new AbortController()
    const waiting = send(stop)
    for (let i = 0; i < 3; i++) {
      vi.advanceTimersByTime(9_000)
      frames.receive(JSON.stringify({ jsonrpc: '2.0', method: 'event' }))
    }
    stop.abort()
    expect(await waiting).toBe('left')
    expect(silences()).toBe(0)
  })
})
