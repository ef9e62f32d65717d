// What is new on the chain: the head, followed while the page is visible, and on devnet its clock and test accounts.

import { effect, signal } from '@preact/signals'
import { HEAD, NAMES, STATE } from '../../shared/explorer/explorerQueries.ts'
import type { Api, Block } from '../index.ts'
import { learnAccounts } from './accountNames.ts'
import { serveAbis } from './decoders/stored.ts'
import { openFeed } from './openFeed.ts'
import { boot } from './pageBoot.ts'
import { ask, client, forgetReplies } from './pageClient.ts'
import { toast } from './parts/Toast.tsx'
import { place } from './router.ts'

export type DevState = Api['dev.state']['result']

/** The newest indexed masterchain block. */
export const head = signal<Block | null>(null)
/** State of the embedded chain; null on others, and for pages that may not control it. */
export const chainState = signal<DevState | null>(null)
/** Root hash of the zero state; null until the service has said it. */
export const genesis = signal<string | null>(null)
/** Whether the service answered last time. */
export const connected = signal(true)
/** Grows when views have to be read again: a new block, or an older state of the chain. */
export const tick = signal(0)

/** Of a chain that makes blocks faster, views show every few of them. */
const TICK_MS = 500
/** Between two questions for the head while there is no feed. */
const POLL_MS = 2_500
const LONGEST_POLL_MS = 30_000
/** Before another try for the feed: the first is soon, the last ones for a proxy that lets no socket through. */
const FEED_AGAIN_MS = 500
const FEED_LATEST_MS = 120_000

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
    // The head is followed without it.
  }
}

function takeState(state: DevState): void {
  const before = chainState.value
  chainState.value = state
  if (before === null) learnAccounts(state.accounts)
  if (before !== null && state.epoch !== before.epoch) afterRevert(state.head.seqno)
}

function afterRevert(seqno: number): void {
  forgetReplies()
  moved()
  toast(`The chain was reverted to block ${seqno}.`)
}

/** What the page shows and remembers is of another chain: it begins again. */
function takeGenesis(hash: string): void {
  if (genesis.value !== null && genesis.value !== hash) location.reload()
  else genesis.value = hash
}

function takeHead(last: Block): void {
  const before = head.value
  connected.value = true
  if (before?.seqno === last.seqno && before.root_hash === last.root_hash) return
  head.value = last
  if (before !== null && last.seqno < before.seqno && !boot.control) afterRevert(last.seqno)
  else if (before !== null) moved()
}

/** False when the service did not answer. */
async function look({ isReverted = false } = {}): Promise<boolean> {
  try {
    if (!connected.value) takeGenesis((await client.getMasterchainInfo()).init.root_hash)
    const before = head.value
    takeHead((await client.v3.masterchainInfo()).last)
    if (isReverted || before !== head.value) await readDevState()
  } catch {
    connected.value = false
  }
  return connected.value
}

const NAMES_EVERY_MS = 3_000
let namesAt = Number.NEGATIVE_INFINITY

/** Names and errors of contracts, again when a person opens another view: deploy scripts add to them. */
function readNames(): void {
  if (performance.now() - namesAt < NAMES_EVERY_MS) return
  namesAt = performance.now()
  ask(NAMES).then(
    ({ abis, names }) => {
      serveAbis(abis)
      learnAccounts(Object.entries(names).map(([address, name]) => ({ address, name })))
      // Where nothing can be added by calls, an empty list stays empty.
      if (boot.network !== 'devnet' && abis.length === 0) namesAt = Number.POSITIVE_INFINITY
    },
    () => undefined,
  )
}

/** The head and the state the page came with, or the first ones of the service. */
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

/** Ends with the feed, or when the page is hidden; false when no feed was to be had. */
async function followFeed(): Promise<boolean> {
  const feed = openFeed({
    onGenesis: takeGenesis,
    onHead: takeHead,
    onState: takeState,
    onRevert: () => void look({ isReverted: true }),
  })
  void visibilityChange().then(feed.close)
  return feed.over
}

/** Pages that lost the service at the same moment come back one after the other. */
const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, ms * (0.5 + Math.random() / 2)))

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
    failures = (await followFeed()) ? 0 : failures + 1
    await poll(Math.min(FEED_LATEST_MS, FEED_AGAIN_MS * 2 ** failures))
  }
}

async function startPlugin(): Promise<void> {
  if (boot.plugin !== null) (await import('./decoders/plugin.ts')).startPlugin(boot.plugin)
}

export function startLive(): void {
  void startPlugin()
  effect(() => {
    void place.value
    readNames()
  })
  void begin().then(follow)
}
