import { EventEmitter, once, setMaxListeners } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { LeanAbort, manyListeners } from '../../../server/process/index.ts'

/** What both kinds do in the same way. */
const KINDS = { ours: () => new LeanAbort(), 'those of Node': () => new AbortController() }

describe.each(Object.entries(KINDS))('signals: %s', (_, make) => {
  it('call their listeners once, with the reason, and say so afterwards', () => {
    const end = make()
    const { signal } = end
    const kept = vi.fn()
    const removed = vi.fn()
    const handler = vi.fn()
    for (const listener of [kept, kept, removed]) signal.addEventListener('abort', listener)
    signal.removeEventListener('abort', removed)
    const over = new AbortController()
    signal.addEventListener('abort', removed, { signal: over.signal })
    over.abort()
    signal.onabort = handler
    expect(signal).toMatchObject({ aborted: false, reason: undefined })
    expect(() => signal.throwIfAborted()).not.toThrow()
    const reason = new Error('first')
    end.abort(reason)
    end.abort(new Error('second'))
    expect(kept).toHaveBeenCalledTimes(1)
    expect(kept.mock.calls[0]?.[0]).toMatchObject({ type: 'abort', target: signal })
    expect(handler).toHaveBeenCalledTimes(1)
    expect(removed).not.toHaveBeenCalled()
    expect(signal.aborted).toBe(true)
    expect(signal.reason).toBe(reason)
    expect(() => signal.throwIfAborted()).toThrow(reason)
  })

  it('call listeners in the order they came, also when the first one has gone', () => {
    const end = make()
    const called: string[] = []
    const named = (name: string) => () => void called.push(name)
    const gone = named('gone')
    for (const listener of [gone, named('second')]) end.signal.addEventListener('abort', listener)
    end.signal.removeEventListener('abort', gone)
    end.signal.addEventListener('abort', named('third'))
    end.abort()
    expect(called).toEqual(['second', 'third'])
  })

  it('do not call a listener that was to be removed before it was added', () => {
    const end = make()
    const listener = vi.fn()
    end.signal.addEventListener('abort', listener, { signal: AbortSignal.abort() })
    end.abort()
    expect(listener).not.toHaveBeenCalled()
  })

  it('have a reason when none is given', () => {
    const end = make()
    end.abort()
    expect(end.signal.reason).toMatchObject({ name: 'AbortError', message: 'This operation was aborted' })
  })

  it('end what Node waits for', async () => {
    const end = make()
    const { signal } = end
    setMaxListeners(0, signal)
    const listened = vi.fn()
    const other = new EventTarget()
    other.addEventListener('said', listened, { signal })
    const waits = [pause(60_000, undefined, { signal }), once(new EventEmitter(), 'never', { signal })]
    const settled = Promise.allSettled(waits)
    end.abort()
    const outcomes = await settled
    for (const outcome of outcomes)
      expect(outcome).toMatchObject({ status: 'rejected', reason: { name: 'AbortError' } })
    other.dispatchEvent(new Event('said'))
    expect(listened).not.toHaveBeenCalled()
    await expect(pause(60_000, undefined, { signal })).rejects.toMatchObject({ name: 'AbortError' })
  })
})

it('of either kind have any number of listeners without a warning, where that is said', async () => {
  const warned: string[] = []
  const note = ({ name }: Error) => warned.push(name)
  process.on('warning', note)
  onTestFinished(() => void process.off('warning', note))
  for (const { signal } of [new AbortController(), new LeanAbort()]) {
    manyListeners(signal)
    for (let i = 0; i < 20; i++) signal.addEventListener('abort', () => undefined)
  }
  await new Promise(setImmediate)
  expect(warned).toEqual([])
})
