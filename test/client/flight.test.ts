import { getEventListeners } from 'node:events'
import { describe, expect, test, vi } from 'vitest'
import { createFlight, seatedUntil } from '../../client/flight.ts'

function setUp() {
  let resolve: (value: string[]) => void = () => {}
  let reject: (error: unknown) => void = () => {}
  const promise = new Promise<string[]>((...both) => {
    ;[resolve, reject] = both
  })
  const stop = vi.fn()
  const onOver = vi.fn()
  const flight = createFlight({
    start: ({ onSetback }) => {
      onSetback('bad weather')
      return { promise, stop }
    },
    onOver,
    copy: structuredClone<string[]>,
  })
  return { flight, resolve, reject, onOver, stop }
}

describe('createFlight', () => {
  test('default: one start, the same answer for all, a copy for each but the first', async () => {
    const { flight, resolve, onOver } = setUp()
    const seats = [flight.join(), flight.join(), flight.join()]
    const value = ['a']
    resolve(value)
    const [first, second, third] = await Promise.all(seats.map(({ promise }) => promise))
    expect(first).toBe(value)
    first?.push('mine')
    expect(second).toEqual(['a'])
    expect(third).toEqual(['a'])
    expect(second).not.toBe(third)
    expect(onOver).toHaveBeenCalledTimes(1)
  })

  test('error: the same for all', async () => {
    const { flight, reject, onOver } = setUp()
    const seats = [flight.join(), flight.join()]
    reject(new Error('lost'))
    for (const { promise } of seats) await expect(promise).rejects.toThrow('lost')
    expect(onOver).toHaveBeenCalledTimes(1)
  })

  test('behavior: one who leaves does not disturb the others', async () => {
    const { flight, resolve, stop } = setUp()
    const one = flight.join()
    const other = flight.join()
    one.leave(new Error('bored'))
    await expect(one.promise).rejects.toThrow('bored')
    expect(stop).not.toHaveBeenCalled()
    resolve(['a'])
    await expect(other.promise).resolves.toEqual(['a'])
  })

  test('behavior: the work stops when the last one leaves', async () => {
    const { flight, resolve, stop, onOver } = setUp()
    const one = flight.join()
    const other = flight.join()
    one.leave('first')
    other.leave('last')
    other.leave('again')
    await expect(one.promise).rejects.toBe('first')
    await expect(other.promise).rejects.toBe('last')
    expect(stop).toHaveBeenCalledTimes(1)
    resolve(['late'])
    await Promise.resolve()
    expect(onOver).toHaveBeenCalledTimes(1)
  })

  test('behavior: reports a setback', async () => {
    const { flight } = setUp()
    expect(flight.join().setback()).toBe('bad weather')
  })

  test('error: a value that cannot be copied fails only those who need a copy', async () => {
    const copy = () => {
      throw new Error('no copy')
    }
    const flight = createFlight({
      start: () => ({ promise: Promise.resolve('a'), stop: () => {} }),
      onOver: () => {},
      copy,
    })
    const seats = [flight.join(), flight.join()]
    await expect(seats[0]?.promise).resolves.toBe('a')
    await expect(seats[1]?.promise).rejects.toThrow('no copy')
  })
})

describe('seatedUntil', () => {
  test('default: the signal ends the wait with its reason', async () => {
    const { flight, stop } = setUp()
    const caller = new AbortController()
    const answer = seatedUntil(flight.join(), caller.signal)
    caller.abort('enough')
    await expect(answer).rejects.toBe('enough')
    expect(stop).toHaveBeenCalledTimes(1)
  })

  test('args: a signal that has already aborted', async () => {
    const { flight } = setUp()
    await expect(seatedUntil(flight.join(), AbortSignal.abort('before'))).rejects.toBe('before')
  })

  test('behavior: an answer in time', async () => {
    const { flight, resolve } = setUp()
    const answer = seatedUntil(flight.join(), new AbortController().signal)
    resolve(['a'])
    await expect(answer).resolves.toEqual(['a'])
  })

  test('behavior: a signal of many calls has one listener, and none when they are over', async () => {
    const caller = new AbortController()
    const listeners = () => getEventListeners(caller.signal, 'abort').length
    const flights = Array.from({ length: 20 }, setUp)
    const answers = flights.map(({ flight }) => seatedUntil(flight.join(), caller.signal))
    expect(listeners()).toBe(1)
    flights[0]?.resolve(['a'])
    await expect(answers[0]).resolves.toEqual(['a'])
    expect(listeners()).toBe(1)
    caller.abort('enough')
    for (const answer of answers.slice(1)) await expect(answer).rejects.toBe('enough')
    expect(listeners()).toBe(0)
    expect(flights.map(({ stop }) => stop.mock.calls.length)).toEqual([0, ...Array<number>(19).fill(1)])
  })
})
