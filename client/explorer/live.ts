// What is new on the chain: the head, followed while the page is visible, and on devnet its clock and test accounts.

import { effect, signal } from '@preact/signals'
import { HEAD, NAMES, STATE } from '../../shared/explorer/explorerQueries.ts'
import type { Api, Block } from '../index.ts'
import { learnAccounts } from './accountNames.ts'
import { serveAbis } from './decoders/stored.ts'
import { keepText } from './keptText.ts'
import { findHost } from './laterScript.ts'
import { boot } from './pageBoot.ts'
import { ask, client, forgetReplies, loadLink, reverts } from './pageClient.ts'
import { toast } from './parts/Toast.tsx'
import { place } from './router.ts'
import { SLEPT } from './serviceClock.ts'

export type DevState = Api['dev.state']['result']

/** The newest indexed masterchain block. */
export const head = signal<Block | null>(null)
/** State of the embedded chain; null on others, and for pages that may not control it. */
export const chainState = signal<DevState | null>(null)
/** Name of the note that a page keeps for its reload when the service has another chain. */
export const OTHER_CHAIN = 'other-chain'

/** Root hash of the zero state of the chain that the page shows; null until it is known. */
export const genesis = signal(boot.genesis)
/** Whether the service answered the last request. */
export const connected = signal(true)
/** Incremented when views have to be read again: after a new block, or after the chain went back. */
export const tick = signal(0)

/** Minimum time between two increments: of a faster chain, views skip some blocks. */
const TICK_MS = 500
/** Between two requests for the head while there is no feed. */
const POLL_MS = 2_500
const LONGEST_POLL_MS = 30_000
/** Pause before the feed is tried again; it grows, because some proxies let no WebSocket through. */
const FEED_AGAIN_MS = 500
const FEED_LATEST_MS = 120_000

/** What a view draws from the results in the document comes with its first effects. */
const DRAWN_MS = 100

let lastTick = Number.NEGATIVE_INFINITY
let isTickDue = false

function moved(): void {
  if (isTickDue) return
  isTickDue = true
  const count = () => {
    isTickDue = false
    lastTick = performance.now()
    tick.value++
  }
  setTimeout(count, lastTick + TICK_MS - performance.now())
}

export async function readDevState(): Promise<void> {
  if (!boot.control) return
  try {
    takeState(await client.dev.state())
  } catch {
    // Only the state of the embedded chain is missing; the head is followed all the same.
  }
}

function takeState(state: DevState): void {
  const before = chainState.value
  chainState.value = state
  if (before === null) learnAccounts(state.accounts)
  if (before !== null && state.epoch !== before.epoch) afterRevert(state.head.seqno)
}

/** What waits is shown before a block has it: where blocks are not made at once, that may be long. */
function takePending(pending: number): void {
  const state = chainState.value
  if (state === null || state.pending === pending) return
  chainState.value = { ...state, pending }
  if (state.mining !== 'auto') moved()
}

function readAgain(): void {
  forgetReplies()
  moved()
}

function afterRevert(seqno: number): void {
  readAgain()
  toast(`The chain was reverted: its newest block is ${seqno}.`)
}

/** On another chain nothing that the page shows is true: it is loaded again, and says why. */
function takeGenesis(hash: string): void {
  if (genesis.value !== null && genesis.value !== hash) {
    keepText(OTHER_CHAIN, true)
    location.reload()
  } else genesis.value = hash
}

function takeHead(last: Block): void {
  const before = head.value
  connected.value = true
  if (before?.seqno === last.seqno && before.root_hash === last.root_hash) return
  head.value = last
  if (before === null) return
  if (last.seqno >= before.seqno) moved()
  else if (boot.control) readAgain()
  else afterRevert(last.seqno)
}

/** False when the service did not answer. `isReverted`: the index has gone back with the chain. */
async function look({ isReverted = false } = {}): Promise<boolean> {
  const seen = reverts.value
  try {
    if (!connected.value || genesis.value === null) takeGenesis((await client.getMasterchainInfo()).init.root_hash)
    const before = head.value
    takeHead((await client.v3.masterchainInfo()).last)
    if (isReverted || before !== head.value) await readDevState()
    // The state of the chain can be here before that: what was read then is of the old index.
    if (isReverted && reverts.value === seen) readAgain()
  } catch {
    connected.value = false
  }
  return connected.value
}

const NAMES_EVERY_MS = 3_000
let namesAt = Number.NEGATIVE_INFINITY

/** Reads names and errors of contracts, again when another view is opened: deploy scripts add to them. */
function readNames(): void {
  if (performance.now() - namesAt < NAMES_EVERY_MS) return
  namesAt = performance.now()
  ask(NAMES).then(
    ({ abis, names }) => {
      serveAbis(abis)
      learnAccounts(Object.entries(names).map(([address, name]) => ({ address, name })))
      // On public networks calls cannot add any, so an empty list stays empty.
      if (boot.network !== 'devnet' && abis.length === 0) namesAt = Number.POSITIVE_INFINITY
    },
    () => undefined,
  )
}

/** Takes head and state from the page, or requests them. */
async function begin(): Promise<void> {
  const state = boot.control ? ask(STATE).then(takeState, () => undefined) : undefined
  try {
    takeHead((await ask(HEAD)).last)
  } catch {
    connected.value = false
  }
  await state
}

const visible = (): boolean => document.visibilityState === 'visible'

const visibilityChange = (): Promise<void> =>
  new Promise((resolve) => document.addEventListener('visibilitychange', () => resolve(), { once: true }))

/** Resolves when the feed ends, the page is hidden or the network is lost; false when there was no feed. */
async function followFeed(): Promise<boolean> {
  const { openFeed } = await loadLink()
  const feed = openFeed({
    onGenesis: takeGenesis,
    onHead: takeHead,
    onState: takeState,
    onRevert: () => void look({ isReverted: true }),
    onPending: takePending,
  })
  const over = new AbortController()
  // A socket may stay open without a network; a service on this machine answers all the same.
  const lostNetwork = () => void noticeAway().then((isAway) => isAway && feed.close())
  addEventListener('offline', lostNetwork, over)
  document.addEventListener('visibilitychange', feed.close, over)
  // Its timer would wait another minute.
  addEventListener(SLEPT, feed.close, over)
  return feed.over.finally(() => over.abort())
}

/** At once, where a call tries again for half a minute. */
async function noticeAway(): Promise<boolean> {
  const isAway = visible() && (await findHost()) === 'away'
  if (isAway) connected.value = false
  return isAway
}

/**
 * With a random part: pages that lost the service at the same moment do not come back at the same moment. A network that is
 * back ends it.
 */
const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer)
      removeEventListener('online', end)
      resolve()
    }
    const timer = setTimeout(end, ms * (0.5 + Math.random() / 2))
    addEventListener('online', end)
  })

async function poll(forMs: number): Promise<void> {
  const end = performance.now() + forMs
  for (let failures = 0; visible() && performance.now() < end; ) {
    await pause(Math.min(forMs, LONGEST_POLL_MS, POLL_MS * 2 ** failures))
    if (visible()) failures = (await look()) ? 0 : failures + 1
  }
}

async function follow(): Promise<void> {
  for (let failures = 0; ; ) {
    while (!visible()) await visibilityChange()
    failures = (await followFeed().catch(() => false)) ? 0 : failures + 1
    await noticeAway()
    await poll(Math.min(FEED_LATEST_MS, FEED_AGAIN_MS * 2 ** failures))
  }
}

async function startPlugin(): Promise<void> {
  if (boot.plugin !== null) (await import('./decoders/plugin.ts')).startPlugin(boot.plugin)
}

/** What follows the chain is loaded after the first view, which `shown` waits for. */
export function startLive(shown: Promise<void>): void {
  void startPlugin()
  effect(() => {
    void place.value
    readNames()
  })
  const drawn = shown.then(() => new Promise((resolve) => setTimeout(resolve, DRAWN_MS)))
  void Promise.all([begin(), drawn]).then(follow)
}
