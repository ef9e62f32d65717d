// What pages of the explorer hold after half an hour of live updates: the first page, a busy account and a trace of
// thousands stay open while as many blocks come as a network makes in that time, each with a payment the first two show.
// The blocks come faster than there, but not faster than pages read again. BLOCKS=100 for a shorter run.

import { setTimeout as pause } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { findChromium, launchChromium } from '../setup/chromium.ts'
import { aligned, loadLine } from './compare.ts'
import { explorerChain } from './explorerChain.ts'

/** One in 2.5 s. */
const BLOCKS = Number(process.env.BLOCKS ?? 720)
/** Longer than the shortest time between two reads of a page. */
const BLOCK_MS = 550
const MOST_MB = 40
/** Rounds in which figures are taken, and blocks before the first of them, in which caches fill. */
const ROUNDS = 6
const WARM = 0.1
/** Growth from the first to the last round that counts as none: code that is compiled and inline caches. */
const NOISE_MB = 1
const NOISE_NODES = 100

interface Held {
  readonly mb: number
  readonly nodes: number
  readonly listeners: number
}

/** What is left after a full collection. */
async function heldBy(page: Page): Promise<Held> {
  const session = await page.context().newCDPSession(page)
  try {
    await session.send('Performance.enable')
    // What is only reached by what was just collected goes with the second.
    for (let times = 0; times < 2; times++) await session.send('HeapProfiler.collectGarbage')
    const { metrics } = await session.send('Performance.getMetrics')
    const read = (wanted: string) => metrics.find(({ name }) => name === wanted)?.value ?? 0
    return { mb: read('JSHeapUsedSize') / 1e6, nodes: read('Nodes'), listeners: read('JSEventListeners') }
  } finally {
    await session.detach()
  }
}

const shownBlock = (page: Page): Promise<number> =>
  page.evaluate(() => Number(/block (\d+)/.exec(document.getElementById('head')?.textContent ?? '')?.[1]))

async function untilShown(page: Page, seqno: number): Promise<void> {
  while ((await shownBlock(page)) < seqno) await pause(100)
}

const executable = findChromium()
if (executable === null) throw new Error('no browser here: set CHROMIUM')
const chain = await explorerChain()
const rows: string[][] = []
try {
  const { url, client, busy, large } = chain
  await using browser = await launchChromium(executable)
  const views = [
    { name: 'first page', at: '/', shows: '.rows .row' },
    { name: 'busy account', at: `/address/${busy}`, shows: '.history-row' },
    { name: 'its transactions', at: `/address/${busy}?tab=transactions`, shows: '#main tbody tr' },
    { name: 'trace of 2,047', at: `/trace/${large}`, shows: '.tree-row' },
  ]
  const open = await Promise.all(
    views.map(async (view) => {
      const page = await browser.context.newPage()
      let reads = 0
      page.on('request', (request) => {
        if (request.method() === 'POST') reads++
      })
      await page.goto(url + view.at)
      await page.locator(view.shows).first().waitFor()
      return { ...view, page, readsOf: () => reads, seen: [] as Held[] }
    }),
  )
  const play = async (blocks: number): Promise<void> => {
    let seqno = 0
    for (let made = 0; made < blocks; made++) {
      const began = performance.now()
      await client.dev.faucet({ address: busy, amount: `${1_000_000 + made}` })
      seqno = (await client.dev.mine({ blocks: 1 })).seqno
      await pause(Math.max(0, began + BLOCK_MS - performance.now()))
    }
    for (const { page } of open) await untilShown(page, seqno)
  }
  await play(Math.round(BLOCKS * WARM))
  for (let round = 0; round <= ROUNDS; round++) {
    if (round > 0) await play(Math.round((BLOCKS * (1 - WARM)) / ROUNDS))
    for (const { page, seen } of open) seen.push(await heldBy(page))
    console.log(`round ${round} of ${ROUNDS}: ${open.map(({ seen }) => `${seen.at(-1)?.mb.toFixed(1)} MB`).join(', ')}`)
  }
  for (const { name, seen, readsOf } of open) {
    const first = seen[0]
    const last = seen.at(-1)
    if (first === undefined || last === undefined) continue
    const flat = last.mb - first.mb <= NOISE_MB && last.nodes - first.nodes <= NOISE_NODES
    const pair = (of: (held: Held) => number, digits = 0) =>
      `${of(first).toFixed(digits)} -> ${of(last).toFixed(digits)}`
    rows.push([
      name,
      `${readsOf()}`,
      `${pair(({ mb }) => mb, 1)} MB`,
      pair(({ nodes }) => nodes),
      pair(({ listeners }) => listeners),
      `≤ ${MOST_MB} MB`,
      last.mb <= MOST_MB ? 'met' : 'MISSED',
      flat && last.listeners <= first.listeners ? 'does not grow' : 'GROWS',
    ])
  }
} finally {
  await chain.close()
}
console.log(aligned(['page', 'reads', `heap over ${BLOCKS} blocks`, 'nodes', 'listeners', 'target', '', ''], rows))
console.log(loadLine())
