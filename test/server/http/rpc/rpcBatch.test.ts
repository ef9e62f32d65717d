// How many calls of a batch are in flight: more of those that wait for a far server, and no more of the others.

import { expect, test, vi } from 'vitest'
import { Turns } from '../../../../server/fairness/index.ts'
import { type BatchItem, joinReplies, RpcBatch } from '../../../../server/http/rpc/rpcBatch.ts'
import type { ChargedCall } from '../../../../server/methods/index.ts'
import { turnsOf } from '../../../setup/othersTurns.ts'

const LANES = 4

/** A batch of such calls, which answer when they are let go; a sign is a kind of call. */
function running(signs: string, { stretch = 3.3, replyBytes = 1_000, batchMs = 300_000, pad = '' } = {}) {
  const waiting: { readonly at: number; readonly sign: string; go(): void }[] = []
  const begun: number[] = []
  const parsed: number[] = []
  const end = new AbortController()
  const call = { signal: end.signal, caller: { subject: 'a' }, budget: null } as unknown as ChargedCall
  const answer = (at: number) => ({ status: 200, text: String(at) + pad })
  const parse = (item: unknown): BatchItem => {
    const at = Number(item)
    parsed.push(at)
    const sign = signs[at] ?? ''
    const isFar = sign === 'F' || sign === 'x'
    return {
      stretch: isFar ? stretch : 1,
      run: () => {
        begun.push(at)
        if (sign === 'c') return answer(at)
        return new Promise((resolve, reject) => {
          const go = () => (sign === 'x' ? reject(new Error('broken')) : resolve(answer(at)))
          waiting.push({ at, sign, go })
        })
      },
    }
  }
  const batch = new RpcBatch(
    Array.from(signs, (_, i) => i),
    call,
    {
      limits: { batchLanes: LANES, batchMs, replyBytes },
      turns: new Turns(),
      parse,
      skip: (item, { message }) => ({ status: 200, text: `${Number(item)}: ${message}` }),
    },
  )
  const replies = batch.replies()
  replies.catch(() => undefined)
  const signsNow = () => waiting.map(({ sign }) => sign).join('')
  const letGo = async (count = waiting.length) => {
    for (const { go } of waiting.splice(0, count)) go()
    await new Promise(setImmediate)
  }
  /** Lets so many go at a time until the batch has ended. */
  const finish = async (count?: number, onEach = (): void => undefined) => {
    let isOver = false
    const end = (): void => {
      isOver = true
    }
    replies.then(end, end)
    for (; !isOver; onEach()) await letGo(count)
  }
  return { replies, begun, parsed, end, signsNow, letGo, finish }
}

async function texts(replies: ReturnType<typeof running>['replies']): Promise<readonly string[]> {
  return (await replies).map((one) => one?.text ?? '')
}

test('default: four at once of a chain that is near', async () => {
  for (const batch of [running('N'.repeat(10)), running('F'.repeat(10), { stretch: 1 })]) {
    expect(batch.signsNow()).toHaveLength(LANES)
    await batch.finish()
    expect(await texts(batch.replies)).toEqual([...'0123456789'])
  }
})

test('behavior: as many more of a far one as its way is longer, in their order', async () => {
  const batch = running('F'.repeat(30))
  expect(batch.signsNow()).toHaveLength(13)
  expect(batch.begun).toEqual([...Array(13).keys()])
  await batch.letGo(1)
  await vi.waitUntil(() => batch.begun.length === 14, { timeout: 300_000 })
  expect(batch.signsNow()).toHaveLength(13)
  await batch.finish()
  expect(await texts(batch.replies)).toEqual([...Array(30).keys()].map(String))
})

test('behavior: other calls get no more than ever between those', async () => {
  const batch = running(`${'F'.repeat(20)}${'N'.repeat(20)}`)
  expect(batch.signsNow()).toBe('F'.repeat(13))
  let most = 0
  await batch.finish(1, () => {
    most = Math.max(most, [...batch.signsNow()].filter((sign) => sign === 'N').length)
  })
  expect(most).toBe(LANES)
  expect(await texts(batch.replies)).toHaveLength(40)
  // Also those that a further lane has met and left to others.
  expect(batch.parsed).toEqual([...Array(40).keys()])
})

test('behavior: calls that are answered from the cache need no further lane', async () => {
  const batch = running('cccccccccc')
  expect(await texts(batch.replies)).toEqual([...'0123456789'])
})

test('error: one that breaks the batch breaks it alone', async () => {
  const batch = running(`${'F'.repeat(12)}x${'F'.repeat(20)}`)
  await batch.finish()
  await expect(batch.replies).rejects.toThrow('broken')
})

test('behavior: bounds of size and time hold for all lanes', async () => {
  const batch = running('F'.repeat(40), { replyBytes: 12 })
  await batch.finish()
  const found = await texts(batch.replies)
  expect(found.slice(0, 11)).toEqual([...Array(11).keys()].map(String))
  expect(found.at(-1)).toMatch(/too large: 12 bytes/)
  expect(batch.begun.length).toBeLessThan(30)
  const full = await texts(running('ccccc', { replyBytes: 3 }).replies)
  expect(full.slice(0, 4)).toEqual(['0', '1', '2', '3'])
  expect(full[4]).toMatch(/too large: 3 bytes/)
  const late = running('F'.repeat(20), { batchMs: 0 })
  expect(await texts(late.replies)).toSatisfy((all: readonly string[]) => all.every((text) => /Timeout/.test(text)))
  // What is not run is not parsed.
  expect(late.parsed).toEqual([])
})

test('behavior: long replies of calls that were in flight when the bound was passed are left out, short ones are not', async () => {
  const pages = running('N'.repeat(6), { pad: '.'.repeat(300_000) })
  await pages.finish(1)
  const found = await texts(pages.replies)
  expect(found[0]).toHaveLength(300_001)
  for (const text of found.slice(1)) expect(text).toMatch(/too large: 1000 bytes/)
  expect(pages.begun).toEqual([0, 1, 2, 3])
  const short = running('N'.repeat(4), { pad: '.'.repeat(1_000) })
  await short.finish(1)
  for (const text of await texts(short.replies)) expect(text).toHaveLength(1_001)
})

test('behavior: when the caller has gone, nothing more begins', async () => {
  const batch = running('F'.repeat(40))
  batch.end.abort()
  await batch.finish()
  expect(batch.begun).toHaveLength(13)
})

test('behavior: a page that was made as bytes stays those, between replies that are texts', async () => {
  const page = ['{"page":"zw', '\u00f6', 'lf"}'].map((piece) => Buffer.from(piece))
  const replies = [
    { status: 200, text: '1' },
    { status: 200, texts: page, text: 'unread' },
    null,
    { status: 200, text: '2' },
  ]
  const joined = await joinReplies(replies, { subject: 'someone' })
  expect(joined?.texts?.every((part) => Buffer.isBuffer(part))).toBe(true)
  expect(joined?.text).toBe('[1,{"page":"zw\u00f6lf"},2]')
})

test('a long text beside a page of bytes is made into bytes in pieces, which leaves others their turns', async () => {
  const text = 'zwölf'.repeat(2_000_000)
  const page = [Buffer.from('1')]
  const replies = [
    { status: 200, text: '1', texts: page },
    { status: 200, text, texts: ['"', text, '"'] },
  ]
  const { found, turns } = await turnsOf(() => joinReplies(replies, { subject: 'someone' }))
  expect(turns).toBeGreaterThan(3)
  expect(found?.text).toBe(`[1,"${text}"]`)
})

test('a batch of which every call was over the limit says when the first of them may come again', async () => {
  const refused = (retryAfter: number) => ({ status: 429, text: '{}', retryAfter, refused: true }) as const
  const joined = await joinReplies([refused(5), null, refused(2), refused(9)], { subject: 'caller' })
  expect(joined).toEqual({ status: 429, text: '[{},{},{}]', retryAfter: 2, refused: true })
})

test('a batch with one call that was not over the limit is answered like every other', async () => {
  const refused = { status: 429, text: '{}', retryAfter: 5, refused: true } as const
  const joined = await joinReplies([refused, { status: 200, text: '1' }], { subject: 'caller' })
  expect(joined).toMatchObject({ status: 200, text: '[{},1]' })
})
