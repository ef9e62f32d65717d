// The graph of a transaction that sent 250 messages: lines do not merge, none is drawn over the amount of a message, and no
// box hides the begin of one.

import { expect, test } from 'vitest'
import type { Api } from '../../../shared/registry.ts'
import { client, onOnePage, page, serveIndexed, service } from '../../setup/explorerScene.ts'
import { mockReplies } from '../../setup/mockedReplies.ts'

const MANY = 250
const ROOM = { timeout: 300_000 }

type Trace = Api['v3.traces']['result']['traces'][number]

const hashOf = (at: number): string => Buffer.alloc(32, String(at).padStart(8, '0')).toString('base64')

function widened(trace: Trace): Trace {
  const pattern = Object.values(trace.transactions ?? {}).find(({ in_msg }) => in_msg?.value)
  if (pattern === undefined) throw new Error('no message of the trace has a value')
  const all = Array.from({ length: MANY + 1 }, (_, at) => ({
    ...pattern,
    in_msg: pattern.in_msg && {
      ...pattern.in_msg,
      value: `${(at % 2 === 0 ? 1_121_117_369_194n : 100_000_001n) + BigInt(at)}` as const,
    },
    hash: hashOf(at),
    account: `0:${at.toString(16).toUpperCase().padStart(64, '0')}`,
    lt: `${BigInt(pattern.lt) + BigInt(at)}` as const,
  }))
  const [root, ...children] = all.map(({ hash }) => ({ tx_hash: hash, in_msg_hash: hash, children: [] }))
  if (root === undefined) throw new Error('there are no transactions')
  const transactions = Object.fromEntries(all.map((one) => [one.hash, one]))
  return { ...trace, trace: { ...root, children }, transactions, actions: [] }
}

/** Values that a line is drawn over or that begin in front of the others' line, and the most pixels that lines take of a row of pixels beside the boxes. */
const seen = () =>
  page.evaluate(() => {
    const frame = document.querySelector('.graph-frame')
    const boxes = [...document.querySelectorAll('.node > rect')].map((box) => box.getBoundingClientRect())
    const from = boxes[0]?.right ?? 0
    const to = boxes[1]?.left ?? 0
    const isLine = (x: number, y: number) => document.elementFromPoint(x, y)?.matches('.edge path') === true
    const linesOf = (first: number, last: number, y: number) => {
      let count = 0
      for (let x = first; x < last; x++) if (isLine(x, y)) count++
      return count
    }
    const values = [...document.querySelectorAll('.edge text')].filter((text) => {
      const { top, bottom } = text.getBoundingClientRect()
      const view = frame?.getBoundingClientRect()
      return view !== undefined && top > view.top && bottom < view.bottom
    })
    const covered = values.filter((text) => {
      const { left, right, top, bottom } = text.getBoundingClientRect()
      return linesOf(left, right, (top + bottom) / 2) > 0
    })
    const edge = frame?.getBoundingClientRect().left ?? 0
    const hidden = values.filter((text) => {
      const { left, right } = text.getBoundingClientRect()
      // 12 pixels from the box is the line that steep ones share: between two digits it looks like a bar.
      return left < (right < from ? edge : from + 12)
    })
    const rows = values.map((text) => linesOf(from, to, text.getBoundingClientRect().top - 30))
    return { values: values.length, covered: covered.length, hidden: hidden.length, most: Math.max(...rows) }
  })

onOnePage(serveIndexed, () => {
  test('above, beside and below the transaction that sent them', async () => {
    const { tx_hash: sent = '' } = await client.dev.faucet({ address: `0:${'77'.repeat(32)}`, amount: '1000000000' })
    const find = async () => (await client.v3.traces({ tx_hash: [sent] })).traces[0]
    await expect.poll(async () => (await find())?.trace_info.trace_state, ROOM).toBe('complete')
    const found = await find()
    if (found === undefined || found.trace_id === null) throw new Error('the trace is gone')
    const wide = widened(found)
    await mockReplies(page, /\/trace\//, 'v3.traces', (_, real) => ({ ...real, traces: [wide] }))
    await page.goto(`${service.url}/trace/${Buffer.from(found.trace_id, 'base64').toString('hex')}`)
    await page.locator('.node').nth(MANY).waitFor(ROOM)
    const frame = page.locator('.graph-frame')
    for (const part of [0, 1 / 4, 1 / 2, 0.51, 1]) {
      await frame.evaluate((view, at) => view.scrollTo(0, at * (view.scrollHeight - view.clientHeight)), part)
      const { values, covered, hidden, most } = await seen()
      expect(values).toBeGreaterThan(4)
      expect(covered).toBe(0)
      expect(hidden).toBe(0)
      expect(most).toBeLessThan(20)
    }
  })
})
