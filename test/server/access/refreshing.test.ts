// Data in memory that is read again when it is old, or was changed.

import { expect, test } from 'vitest'
import { Refreshing } from '../../../server/access/refreshing.ts'

function open() {
  const clock = { ms: 1_000_000 }
  const begun: ((error?: Error) => void)[] = []
  const refresh = () =>
    new Promise<void>((resolve, reject) => {
      begun.push((error) => (error === undefined ? resolve() : reject(error)))
    })
  return { clock, begun, refreshing: new Refreshing({ now: () => clock.ms, lagMs: 500, refresh }) }
}

test('after a change it is read again, also when a read was in flight that may have missed it', async () => {
  const { begun, refreshing } = open()
  const first = refreshing.look()
  const expired = refreshing.expire()
  begun[0]?.()
  await Promise.all([first, expired])
  const second = refreshing.look()
  expect(begun).toHaveLength(2)
  begun[1]?.()
  await second
  expect(refreshing.look()).toBeNull()
})

test('it is as old as the beginning of the read, and callers share one in flight', async () => {
  const { clock, begun, refreshing } = open()
  const looks = [refreshing.look(), refreshing.look()]
  clock.ms += 499
  begun[0]?.()
  await Promise.all(looks)
  expect(refreshing.look()).toBeNull()
  clock.ms++
  expect(refreshing.look()).not.toBeNull()
  expect(begun).toHaveLength(2)
})

test('after the clock was set back it is read again, and not an hour later', async () => {
  const { clock, begun, refreshing } = open()
  const first = refreshing.look()
  begun[0]?.()
  await first
  clock.ms -= 3_600_000
  expect(refreshing.look()).not.toBeNull()
})

test('the caller after a read that failed tries again', async () => {
  const { begun, refreshing } = open()
  const first = refreshing.look()
  begun[0]?.(new Error('away'))
  await expect(first).rejects.toThrow('away')
  expect(refreshing.look()).not.toBeNull()
  expect(begun).toHaveLength(2)
})
