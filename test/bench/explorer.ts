// The explorer's pages in a real browser over loopback, with an empty cache: milliseconds from the start of the visit to
// the first paint and until the data of the page is there, requests until then, and bytes as sent of all that is loaded.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '../../client/index.ts'
import { type Browser, findChromium, launchChromium } from '../setup/chromium.ts'
import { firstViewOf } from '../setup/firstView.ts'
import { type Bounded, boundsTable } from './compare.ts'
import { spawnOurs, stop } from './started.ts'

const ROUNDS = Number(process.env.ROUNDS ?? 5)
const MOST_MS = 400
const MOST_PAINT_MS = 200
const MOST_REQUESTS = 4
const MOST_KB = 80

interface View {
  readonly name: string
  readonly at: string
  /** What is there when the data is. */
  readonly shows: string
}

interface Seen {
  readonly painted: number
  readonly shown: number
  /** Milliseconds of the processor for the page: the same on a busy machine. */
  readonly worked: number
  readonly requests: number
  readonly kilobytes: number
}

/** A message with a comment. */
const BAG = 'te6cckEBAQEADAAAFAAAAABIZWxsbyGVgYQo'

const hexOf = (base64 = ''): string => Buffer.from(base64, 'base64').toString('hex')

/** One visit with nothing in the cache. */
async function visit({ context }: Browser, url: string, shows: string): Promise<Seen> {
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  await session.send('Network.setCacheDisabled', { cacheDisabled: true })
  let bytes = 0
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength
  })
  const { shown, requests } = await firstViewOf(page, url, shows)
  const { metrics } = await session.send('Performance.getMetrics')
  const painted = () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0
  const seen = {
    painted: await page.evaluate(painted),
    shown,
    worked: (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000,
    requests: requests.length,
    kilobytes: bytes / 1000,
  }
  await page.close()
  return seen
}

async function viewsOf(url: string): Promise<readonly View[]> {
  const client = createClient({ url, timeoutMs: 120_000 })
  const { seqno } = await client.dev.mine({ blocks: 1 })
  for (let indexed = 0; indexed < seqno; ) indexed = (await client.v3.masterchainInfo()).last.seqno
  const { accounts } = await client.dev.state()
  const wallet = accounts.find(({ name }) => name === 'wallet4')?.friendly ?? ''
  const [newest] = (await client.v3.transactions({ account: [wallet], limit: 1 })).transactions
  const [jetton] = (await client.v3.jetton.masters({ limit: 1 })).jetton_masters
  const stakes = await client.v3.validators.events({ type: 'stake_accepted', limit: 500 })
  const pools = Object.entries(stakes.address_book ?? {}).filter(([, { interfaces }]) =>
    interfaces.some((name) => /^(?:nominator_pool|tv_pool)/.test(name)),
  )
  return [
    { name: 'first page', at: '/', shows: '.rows .row' },
    { name: 'transaction', at: `/tx/${hexOf(newest?.hash)}`, shows: '.summary' },
    { name: 'trace', at: `/trace/${hexOf(newest?.trace_id ?? '')}`, shows: '.summary' },
    { name: 'account', at: `/address/${wallet}`, shows: '.history-row' },
    { name: 'transactions of an account', at: `/address/${wallet}?tab=transactions`, shows: '#main tbody tr' },
    { name: 'tokens of an account', at: `/address/${wallet}?tab=tokens`, shows: '#main tbody tr' },
    { name: 'jetton', at: `/address/${jetton?.address}`, shows: '.history-row' },
    { name: 'masterchain block', at: `/block/${seqno}`, shows: '[aria-label="Table of signatures"] tbody tr' },
    { name: 'shard block', at: `/block/0:8000000000000000:${newest?.block_ref.seqno}`, shows: '#main table' },
    { name: 'search for an opcode', at: '/search?q=0x0f8a7ea5', shows: '#main tbody tr' },
    { name: 'search for a text', at: '/search?q=wall', shows: '#main li a' },
    { name: 'wallets', at: '/wallets', shows: '#main tbody tr' },
    { name: 'lab', at: '/lab', shows: '.compose' },
    { name: 'console', at: '/console', shows: '.method-list summary' },
    { name: 'method', at: '/console/v3.transactions', shows: '#main form' },
    { name: 'cells', at: `/cell?boc=${encodeURIComponent(BAG)}`, shows: '.cell' },
    { name: 'validators', at: '/validators', shows: '#main h2' },
    { name: 'pools', at: '/pools', shows: '#main tbody tr' },
    { name: 'pool', at: `/pools/${pools[0]?.[0]}`, shows: '#nominators' },
    { name: 'configuration', at: '/config', shows: '#main .param' },
    { name: 'status', at: '/status', shows: '#main h2' },
  ]
}

const executable = findChromium()
if (executable === null) throw new Error('no browser here: set CHROMIUM')
const data = mkdtempSync(join(tmpdir(), 'tonrpc-bench-'))
const service = await spawnOurs(data, ['--call-ms', '120000'])
const url = `http://localhost:${service.port}`
const rows: Bounded[] = []
{
  const views = await viewsOf(url)
  await using browser = await launchChromium(executable)
  for (const { name, at, shows } of views) {
    const seen: Seen[] = []
    // The first visit is not counted: the service reads its files for it.
    for (let round = 0; round <= ROUNDS; round++) seen.push(await visit(browser, url + at, shows))
    const row = (what: string, unit: string, atMost: number | null, of: (one: Seen) => number) =>
      rows.push({ name: `${name}: ${what}`, unit, atMost, values: seen.slice(1).map(of) })
    row('first paint', 'ms', MOST_PAINT_MS, ({ painted }) => painted)
    row('data is shown', 'ms', MOST_MS, ({ shown }) => shown)
    row('processor of the page', 'ms', null, ({ worked }) => worked)
    row('requests', '', MOST_REQUESTS, ({ requests }) => requests)
    row('transferred', 'kB', MOST_KB, ({ kilobytes }) => kilobytes)
  }
}
await stop(service)
rmSync(data, { recursive: true, force: true })
console.log(boundsTable(rows))
