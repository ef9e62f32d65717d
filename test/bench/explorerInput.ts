// How soon the explorer's pages react to a person (interaction to next paint): the longest of the keys and clicks on each
// page, over a chain with a busy account and large traces, as the browser measures it for real input, on this processor and
// on one that is four times slower. The processor's time of the page is the same on a busy machine. PAGES=trace,console
// measures some pages, DETAILS=1 prints every step.

import type { CDPSession, Page } from 'playwright-core'
import { type Browser, findChromium, launchChromium } from '../setup/chromium.ts'
import { aligned, loadLine } from './compare.ts'
import { type ExplorerChain, explorerChain } from './explorerChain.ts'

const MOST_MS = 100
const SLOWDOWNS = [1, 4]
const WANTED = process.env.PAGES?.split(',')
const isDetailed = process.env.DETAILS === '1'
/** The browser rounds to 8 ms, and does not report what is shorter than two of its frames. */
const SHORTEST_MS = 16

interface Step {
  readonly name: string
  readonly run: (page: Page) => Promise<unknown>
}

interface Visit {
  readonly name: string
  readonly at: string
  /** What is there when the data is. */
  readonly shows: string
  /** What makes the page large; not measured. */
  readonly prepare?: (page: Page) => Promise<void>
  readonly steps: readonly Step[]
}

interface Measured {
  readonly step: string
  readonly ms: number
  /** Of the page's processor until the paint. */
  readonly worked: number
}

const click = (name: string, selector: string, at = 0): Step => ({
  name,
  run: (page) => page.locator(selector).nth(at).click(),
})
const button = (name: string): Step => click(name, `#main button:text-is("${name}")`)
const tab = (name: string): Step => click(`tab ${name}`, `[role="tab"]:has-text("${name}")`)
const keys = (name: string, selector: string, all: readonly string[]): readonly Step[] =>
  all.map((key, at) => ({
    name: `${name}: ${key}`,
    run: async (page) => {
      if (at === 0) await page.locator(selector).first().focus()
      await page.keyboard.press(key)
    },
  }))
const typed = (name: string, selector: string, text: string): readonly Step[] =>
  keys(
    name,
    selector,
    [...text].map((letter) => (letter === ' ' ? 'Space' : letter)),
  )
const times = (count: number, step: Step): readonly Step[] => Array.from({ length: count }, () => step)

const settled = (page: Page): Promise<unknown> =>
  page.waitForFunction(() => document.querySelector('.waiting, .late, [aria-disabled="true"]') === null)

/** Presses a button again and again, each time for more rows. */
const grow =
  (name: RegExp, count: number) =>
  async (page: Page): Promise<void> => {
    for (let times = 0; times < count; times++) {
      const more = page.getByRole('button', { name }).first()
      if ((await more.count()) === 0) return
      await more.click()
      await settled(page)
    }
  }

const visitsOf = ({ busy, large, drawn, full }: ExplorerChain): readonly Visit[] => [
  {
    name: 'first page',
    at: '/',
    shows: '.rows .row',
    steps: [
      click("the chain's own", '.bar input'),
      button('Pause'),
      button('Go on'),
      click('faucet', 'summary:has-text("Faucet")'),
      ...typed('amount', '#faucet-amount', '12'),
      { name: 'period', run: (page) => page.getByLabel('Period').press('ArrowDown') },
      ...keys('rows', 'body', ['j', 'j', 'k']),
      click('a trace', '.rows .row a'),
    ],
  },
  {
    name: 'search box',
    at: `/address/${busy}`,
    shows: '.history-row',
    steps: [
      ...typed('search', '#q', 'wallet'),
      ...keys('search', '#q', ['ArrowDown', 'ArrowDown', 'Escape', 'Control+a']),
      ...typed('search', '#q', '0x0f8a7ea5'),
      ...keys('search', '#q', ['Enter']),
    ],
  },
  {
    name: 'account, 400 traces',
    at: `/address/${busy}`,
    shows: '.history-row',
    prepare: grow(/^Load older$/, 20),
    steps: [
      button('Load older'),
      click('favourite', 'button:has-text("Favourite")'),
      click('QR code', 'button:has-text("QR code")'),
      { name: 'outcome', run: (page) => page.getByLabel('Outcome').press('ArrowDown') },
      { name: 'outcome', run: (page) => page.getByLabel('Outcome').press('ArrowUp') },
      ...typed('with', '[name="with"], .filters input:not([type])', 'wallet4'),
      ...['Transactions', 'Balance', 'Tokens', 'NFTs', 'Contract', 'Methods', 'History'].map(tab),
    ],
  },
  {
    name: 'transactions, 1,500 rows',
    at: `/address/${busy}?tab=transactions`,
    shows: '#main tbody tr',
    prepare: grow(/^Load (?:more|older)$/, 24),
    steps: [
      button('Load older'),
      ...keys('rows', 'body', ['j', 'j', 'k']),
      click('zone', '#main .zone'),
      tab('Contract'),
      tab('Transactions'),
      { name: 'order', run: (page) => page.getByLabel('Order').press('ArrowDown') },
    ],
  },
  {
    name: 'trace of 255, graph',
    at: `/trace/${drawn}`,
    shows: '.graph .node',
    steps: [
      ...[1, 2, 3].map((at) => click('box', '.node', at)),
      ...keys('graph', '.graph-frame', ['ArrowRight', 'ArrowRight', 'ArrowDown', 'ArrowLeft']),
      click('opened', '.more'),
      click('zoom out', '[aria-label="Zoom out"]'),
      click('zoom in', '[aria-label="Zoom in"]'),
      click('fit', '.graph-tools button:text-is("Fit")'),
      ...['Messages', 'State', 'Raw', 'Overview'].map(tab),
      tab('Value flow'),
      tab('List'),
      tab('Graph'),
    ],
  },
  {
    name: 'trace of 2,047',
    at: `/trace/${large}`,
    shows: '.tree-row',
    steps: [
      click('row', '.tree-row .tree-call', 2),
      ...keys('list', '.tree-row[tabindex="0"]', ['ArrowDown', 'ArrowDown', 'Enter', 'End', 'Home']),
      ...times(11, click('more rows', '.tree ~ button')),
      click('row of 1,200', '.tree-row .tree-call', 900),
      ...['Messages', 'State', 'Raw', 'Overview'].map(tab),
      tab('Value flow'),
      click('more accounts', '[role="tabpanel"] button:has-text("more of")'),
      tab('List'),
    ],
  },
  {
    name: 'block of hundreds',
    at: `/block/0:8000000000000000:${full}`,
    shows: '#main tbody tr',
    prepare: grow(/^Load (?:more|older)$/, 3),
    steps: [
      click('more', '#main button:has-text("Load")'),
      ...keys('rows', 'body', ['j', 'j', 'k']),
      ...keys('blocks', 'body', ['[', ']']),
    ],
  },
  {
    name: 'console',
    at: '/console/v3.transactions',
    shows: '#main form',
    steps: [
      ...typed('filter', '#method-filter', 'token'),
      ...keys('filter', '#method-filter', ['Control+a', 'Delete']),
      ...typed('limit', '#param-limit', '00'),
      button('Call'),
      ...times(3, click('fold', '.json summary:visible', 2)),
      button('Call'),
      click('a method', '.method-list details[open] a'),
    ],
  },
  {
    name: 'lab',
    at: '/lab',
    shows: '.compose',
    steps: [
      ...typed('amount', '#faucet-amount', '123'),
      { name: 'body', run: (page) => page.getByLabel('Body').press('ArrowDown') },
      ...typed('receiver', '#compose-to', 'wallet4'),
      click('deploy', '.compose input[type="checkbox"]'),
    ],
  },
  {
    name: 'configuration',
    at: '/config',
    shows: '#main .param',
    steps: [0, 15, 18, 34].map((id) => click('parameter', `#param-${id} summary`)),
  },
  {
    name: 'wallets',
    at: '/wallets',
    shows: '#main tbody .amount',
    steps: [click('keys', '#main tbody summary'), click('copy', '#main tbody button.copy')],
  },
]

/** As text: compiled functions call helpers no page has. */
const WATCH = `globalThis.felt = []
  new PerformanceObserver((list) => {
    for (const { interactionId, startTime, duration } of list.getEntries())
      if (interactionId) globalThis.felt.push([startTime, duration])
  }).observe({ type: 'event', durationThreshold: ${SHORTEST_MS}, buffered: true })`

type Felt = readonly (readonly [at: number, ms: number])[]

const SIZE = { width: 1280, height: 900 }
/** With the browser's own bars: what is drawn below its edge is never painted, and would last until something else is. */
const WINDOW = { width: 1400, height: 1100 }

/** Two frames, and the report of what they took. */
const AFTER_PAINT = `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 60))))`

async function workedBy(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics')
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000
}

async function measure({ context }: Browser, url: string, visit: Visit, slowdown: number): Promise<Measured[]> {
  const page = await context.newPage()
  try {
    await page.setViewportSize(SIZE)
    const session = await context.newCDPSession(page)
    const { windowId } = await session.send('Browser.getWindowForTarget')
    await session.send('Browser.setWindowBounds', { windowId, bounds: WINDOW })
    await session.send('Performance.enable', { timeDomain: 'threadTicks' })
    await page.addInitScript({ content: WATCH })
    await page.goto(url + visit.at)
    await page.locator(visit.shows).first().waitFor()
    await visit.prepare?.(page)
    await settled(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
    const all: (Omit<Measured, 'ms'> & { readonly at: number })[] = []
    for (const { name, run } of visit.steps) {
      const at = Number(await page.evaluate('performance.now()'))
      const before = await workedBy(session)
      await run(page)
      const worked = (await workedBy(session)) - before
      await page.evaluate(AFTER_PAINT)
      all.push({ step: name, at, worked })
      await settled(page)
    }
    await page.evaluate(AFTER_PAINT)
    const felt: Felt = await page.evaluate('globalThis.felt')
    // The browser may report what a step took after the next one has begun.
    return all.map(({ step, at, worked }, i) => {
      const ends = all[i + 1]?.at ?? Number.POSITIVE_INFINITY
      const own = felt.filter(([began]) => began >= at && began < ends).map(([, ms]) => ms)
      return { step, worked, ms: Math.max(0, ...own) }
    })
  } finally {
    await page.close()
  }
}

/** The one with the most of something. */
const worst = (all: readonly Measured[], of: (one: Measured) => number): Measured =>
  all.reduce((most, one) => (of(one) > of(most) ? one : most), { step: 'all', ms: SHORTEST_MS, worked: 0 })

const shown = (ms: number): string => (ms <= SHORTEST_MS ? `≤ ${SHORTEST_MS} ms` : `${ms} ms`)

const executable = findChromium()
if (executable === null) throw new Error('no browser here: set CHROMIUM')
const chain = await explorerChain()
const rows: string[][] = []
try {
  await using browser = await launchChromium(executable)
  await browser.context.grantPermissions(['clipboard-write'])
  for (const visit of visitsOf(chain)) {
    if (WANTED && !WANTED.some((one) => visit.name.includes(one))) continue
    const cells: string[] = []
    let fastest = Number.POSITIVE_INFINITY
    for (const slowdown of SLOWDOWNS) {
      const all = await measure(browser, chain.url, visit, slowdown)
      if (isDetailed)
        for (const { step, ms, worked } of all)
          console.log(`${visit.name}, ${slowdown}x: ${shown(ms)}, processor ${worked.toFixed(0)} ms  ${step}`)
      const slow = worst(all, ({ ms }) => ms)
      const busy = worst(all, ({ worked }) => worked)
      fastest = Math.min(fastest, slow.ms)
      cells.push(`${shown(slow.ms)} (${slow.step})`, `${busy.worked.toFixed(0)} ms (${busy.step})`)
    }
    rows.push([visit.name, `${visit.steps.length}`, ...cells, `≤ ${MOST_MS} ms`, fastest <= MOST_MS ? 'met' : 'MISSED'])
  }
} finally {
  await chain.close()
}
const columns = SLOWDOWNS.flatMap((slowdown) => [`longest, ${slowdown}x`, `processor, ${slowdown}x`])
console.log(aligned(['page', 'steps', ...columns, 'target', ''], rows))
console.log(loadLine())
