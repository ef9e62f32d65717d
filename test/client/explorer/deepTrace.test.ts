// A trace of a hundred messages, one because of the other, of which one far down failed: where it is seen at once.

import { expect, test } from 'vitest'
import type { Api } from '../../../shared/registry.ts'
import { client, onOnePage, page, serveIndexed, service } from '../../setup/explorerScene.ts'
import { mockReplies } from '../../setup/mockedReplies.ts'

const MANY = 100
const FAILED = 80
const ROOM = { timeout: 300_000 }

type Trace = Api['v3.traces']['result']['traces'][number]

const hashOf = (at: number): string => Buffer.alloc(32, String(at).padStart(8, '0')).toString('base64')

function deepened(trace: Trace): Trace {
  const pattern = Object.values(trace.transactions ?? {}).find(({ description }) => description.compute_ph?.skipped)
  if (pattern === undefined) throw new Error('no transaction of the trace ran no code')
  const { compute_ph: compute, bounce: _, ...others } = { ...pattern.description, aborted: false }
  const all = Array.from({ length: MANY }, (_, at) => ({
    ...pattern,
    // On a phone each row has three lines.
    in_msg: pattern.in_msg && { ...pattern.in_msg, opcode: '0x12345678' as const },
    hash: hashOf(at),
    account: `0:${at.toString(16).toUpperCase().padStart(64, '0')}`,
    lt: `${BigInt(pattern.lt) + BigInt(at)}` as const,
    description: at === FAILED ? { ...others, compute_ph: compute, bounce: { type: 'ok' as const } } : others,
  }))
  const root = all.reduceRight<Trace['trace'] | null>(
    (child, { hash }) => ({ tx_hash: hash, in_msg_hash: hash, children: child ? [child] : [] }),
    null,
  )
  if (root === null || root === undefined) throw new Error('there are no transactions')
  return { ...trace, trace: root, transactions: Object.fromEntries(all.map((one) => [one.hash, one])), actions: [] }
}

/** Whether the failed step is within the frame of the graph or the list. */
const isSeen = (frame: string, step: string) =>
  page.evaluate(
    ([around, inside]) => {
      const [out, own] = [around, inside].map((one) => document.querySelector(one ?? '')?.getBoundingClientRect())
      if (!out || !own) return false
      return own.left >= out.left && own.right <= out.right && own.top >= out.top && own.bottom <= out.bottom
    },
    [frame, step],
  )

onOnePage(serveIndexed, () => {
  test('in the graph of a desktop, and in the list of a phone', async () => {
    const { tx_hash: sent = '' } = await client.dev.faucet({ address: `0:${'77'.repeat(32)}`, amount: '1000000000' })
    const find = async () => (await client.v3.traces({ tx_hash: [sent] })).traces[0]
    await expect.poll(async () => (await find())?.trace_info.trace_state, ROOM).toBe('complete')
    const found = await find()
    if (found === undefined || found.trace_id === null) throw new Error('the trace is gone')
    const deep = deepened(found)
    await mockReplies(page, /\/trace\//, 'v3.traces', (_, real) => ({ ...real, traces: [deep] }))
    const at = `${service.url}/trace/${Buffer.from(found.trace_id, 'base64').toString('hex')}`
    await page.goto(at)
    await page.locator('.node').first().waitFor(ROOM)
    await expect.poll(() => isSeen('.graph-frame', '.node.failed.selected'), ROOM).toBe(true)
    // Paper does not scroll: all of the graph is on it.
    await page.emulateMedia({ media: 'print' })
    const rightOf = async (selector: string) => {
      const box = await page.locator(selector).boundingBox()
      return box && box.x + box.width
    }
    expect(await rightOf('.graph-frame > svg')).toBeLessThanOrEqual((await rightOf('.graph-frame')) ?? 0)
    await page.emulateMedia({ media: 'screen' })
    await page.setViewportSize({ width: 360, height: 800 })
    await page.goto(at)
    await page.locator('.tree-row.failed').waitFor(ROOM)
    await page.locator('.tree').scrollIntoViewIfNeeded()
    // What is drawn late moves no row out of the frame.
    for (let frames = 0; frames < 3; frames++)
      await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(drawn)))
    expect(await isSeen('.tree', '.tree-row.failed')).toBe(true)
    const indent = await page
      .locator('.tree-row.failed')
      .evaluate((row) => Number.parseFloat(getComputedStyle(row).paddingLeft) / row.clientWidth)
    expect(indent).toBeLessThan(0.3)
  })
})
