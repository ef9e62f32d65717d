// Hosts that take all the time they get: after three times in a row nothing is requested of them for ten minutes.

import { expect, test } from 'vitest'
import { retryAt } from '../../../server/metadata/descriptions.ts'
import { FetchError } from '../../../server/metadata/fetchError.ts'
import { fetchPublic } from '../../../server/metadata/fetchPublic.ts'
import { hostOf, SilentHosts } from '../../../server/metadata/silentHosts.ts'
import { CERTIFICATE, listen } from './tlsHost.ts'

const MINUTE_MS = 60_000
const HOUR_S = 3_600

test('a host rests after it was late three times in a row, for ten minutes', () => {
  const clock = { ms: 5_000_000 }
  const silent = new SilentHosts(() => clock.ms)
  const late = (): boolean => {
    silent.wasLate('a.test')
    return silent.isResting('a.test')
  }
  expect([late(), late()]).toEqual([false, false])
  silent.answered('a.test')
  expect([late(), late(), late()]).toEqual([false, false, true])
  expect(silent.isResting('b.test')).toBe(false)
  clock.ms += 10 * MINUTE_MS - 1
  expect(silent.isResting('a.test')).toBe(true)
  clock.ms++
  expect(silent.isResting('a.test')).toBe(false)
  // It has one more try before it rests again.
  expect(late()).toBe(true)
})

test('a gateway that lacks one content of IPFS rests for that one alone', () => {
  const host = (path: string) => hostOf(new URL(`https://gate.test${path}`))
  expect(host('/ipfs/Qm1/a.json')).toBe(host('/ipfs/Qm1/b.json'))
  expect(host('/ipfs/Qm1/a.json')).not.toBe(host('/ipfs/Qm2/a.json'))
  expect(host('/ipns/Qm1')).not.toBe(host('/ipfs/Qm1'))
  expect(host('/a.json')).toBe(host('/b.json'))
})

test('a host that begins its answers and ends none rests too, and gets no further request', async () => {
  let requests = 0
  const port = await listen((_, response) => {
    requests++
    response.writeHead(200, { 'content-type': 'application/json' }).write('{')
  })
  const silent = new SilentHosts()
  const resolve = async () => [{ address: '127.0.0.1', family: 4 }]
  const rules = { resolve, isAllowed: () => true, ports: [port], ca: CERTIFICATE, silent }
  const url = new URL(`https://token.test:${port}/`)
  const fetched = (timeoutMs: number) =>
    fetchPublic(url, { ...rules, timeoutMs }, new AbortController().signal).catch((error: Error) => error.message)
  const late = 'it took too long'
  for (let times = 0; times < 3; times++) expect(await fetched(400)).toBe(late)
  const before = requests
  expect(await fetched(3_600_000)).toBe('the host took too long several times')
  expect(requests).toBe(before)
})

test('a host that does not answer is tried eight times: after an hour, then twice as long each time, a day at most', () => {
  const failed = new FetchError('failed', 'no answer')
  const after = Array.from({ length: 8 }, (_, attempts) => retryAt(failed, attempts, 1_000_000))
  expect(after.map((at) => (at === null ? null : (at - 1_000_000) / HOUR_S))).toEqual([1, 2, 4, 8, 16, 24, 24, null])
  expect(retryAt(new FetchError('refused', 'not JSON'), 0, 1_000_000)).toBeNull()
})
