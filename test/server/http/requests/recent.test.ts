// A text that comes again is not read again. It makes no difference but in time.

import { describe, expect, test } from 'vitest'
import { Recent } from '../../../../server/http/requests/recent.ts'
import { ask, post, STRICT, TONCENTER } from '../../../setup/calls.ts'
import { madeUp } from '../../../setup/madeUp.ts'
import { forAllTests, serve, serveMethods } from '../../../setup/service.ts'

describe('the same text again', () => {
  // With automatic mining there would be another block every five seconds.
  const chain = forAllTests(() => serve({ config: { mining: 'manual' } }))
  const height = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getMasterchainInfo', params: {} })
  const mine = () => post(chain(), STRICT, { jsonrpc: '2.0', id: 1, method: 'dev.mine', params: { blocks: 1 } })

  test.each([
    ['POST', STRICT],
    ['POST', TONCENTER],
    ['GET', '/api/v2/getMasterchainInfo'],
  ])('%s %s: is answered with what is true by then', async (verb, path) => {
    const once = () => (verb === 'GET' ? ask(chain(), path) : post(chain(), path, height))
    const seqnoOf = ({ body }: Awaited<ReturnType<typeof once>>) =>
      (body.result as { last: { seqno: number } }).last.seqno
    const first = seqnoOf(await once())
    expect(seqnoOf(await once())).toBe(first)
    await mine()
    expect(seqnoOf(await once())).toBe(first + 1)
  })

  /** Issued before any is used: a key that is new is not known everywhere at once. */
  const keys: string[] = []
  const service = forAllTests(async () => {
    // The clock stands still, or a budget would fill up in between.
    const made = await serveMethods(madeUp(), { config: { limits: 'on' }, now: () => Date.UTC(2026, 0, 1) })
    for (let i = 0; i < 3; i++) keys.push((await made.newKey()).key)
    return made
  })
  const withKey = (i: number) => ({ 'X-API-Key': keys[i] ?? '' })
  const fixed = (rest: Record<string, unknown> = {}) => JSON.stringify({ jsonrpc: '2.0', method: 'fixed', ...rest })

  test('means at each door what it means there', async () => {
    const say = async (path: string) => (await post(service(), path, fixed(), withKey(0))).status
    // Without an id it is a notification at the one door and a call at the other.
    expect([await say(STRICT), await say(TONCENTER)]).toEqual([204, 200])
    expect([await say(STRICT), await say(TONCENTER)]).toEqual([204, 200])
  })

  test('is charged to the one who sends it', async () => {
    const left = async (i: number) =>
      (await post(service(), STRICT, fixed({ id: 5 }), withKey(i))).headers.get('ratelimit-remaining')
    const before = Number(await left(1))
    expect(Number(await left(1))).toBe(before - 1)
    expect(Number(await left(2))).toBe(before)
  })

  test('with a refusal in it is refused again', async () => {
    const say = async () => (await post(service(), STRICT, fixed({ id: 6, params: { no: 1 } }), withKey(0))).body.error
    const first = await say()
    expect(first).toMatchObject({ code: -32602 })
    expect(await say()).toEqual(first)
  })
})

test('texts without end take no memory without end', () => {
  const recent = new Recent<number>()
  for (let i = 0; i < 10_000; i++) {
    recent.set(`text ${i}`, i)
    // Callers in use stay.
    expect(i < 1 ? 0 : recent.get('text 0')).toBe(0)
  }
  const kept = Array.from({ length: 10_000 }, (_, i) => recent.get(`text ${i}`)).filter((value) => value !== undefined)
  expect(kept.length).toBeLessThanOrEqual(1000)
  const long = 'x'.repeat(10_000)
  recent.set(long, 1)
  expect(recent.get(long)).toBeUndefined()
})
