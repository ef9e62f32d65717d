// While a database is down, reads are refused at once. The first statement that it answers ends that, a probe or any other.

import { expect, test } from 'vitest'
import { StoreError } from '../../../server/store/index.ts'
import { Outage } from '../../../server/store/postgres/outage.ts'

const GONE = new StoreError('unavailable', 'gone')

/** An outage whose probes succeed when the test says so. */
function outage() {
  const closing = new AbortController()
  const seen: string[] = []
  let answer: (isUp: boolean) => void = () => undefined
  let probes = 0
  let asked: () => void = () => undefined
  const one = new Outage({
    probe: () =>
      new Promise((resolve, reject) => {
        probes++
        answer = (isUp) => (isUp ? resolve(null) : reject(GONE))
        asked()
      }),
    closing: closing.signal,
    onDown: () => seen.push('down'),
    onUp: () => seen.push('up'),
  })
  const probed = () =>
    new Promise<void>((resolve) => {
      asked = resolve
    })
  return { one, closing, seen, probed, answer: (isUp: boolean) => answer(isUp), probes: () => probes }
}

test('default: reads are refused with the cause until a probe is answered', async () => {
  const { one, seen, probed, answer, closing } = outage()
  expect(one.error).toBeNull()
  one.begin(GONE)
  one.begin(GONE)
  expect(one.error).toMatchObject({ message: 'gone' })
  await probed()
  answer(false)
  await probed()
  expect(one.isDown).toBe(true)
  answer(true)
  await expect.poll(() => one.isDown).toBe(false)
  expect(one.error).toBeNull()
  expect(seen).toEqual(['down', 'up'])
  closing.abort()
})

test('behavior: a read that was answered meanwhile ends it at once, and its probe ends nothing later', async () => {
  const { one, seen, probed, answer, probes, closing } = outage()
  one.begin(GONE)
  await probed()
  one.end()
  one.end()
  expect(one.error).toBeNull()
  one.begin(GONE)
  // The probe of the first outage is answered in the second.
  answer(true)
  await probed()
  expect(one.isDown).toBe(true)
  expect(probes()).toBe(2)
  expect(seen).toEqual(['down', 'up', 'down'])
  answer(true)
  await expect.poll(() => seen).toEqual(['down', 'up', 'down', 'up'])
  closing.abort()
})
