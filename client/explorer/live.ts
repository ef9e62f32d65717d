// What is new on the chain: the head, followed while the page is visible, and on devnet its clock and test accounts.

import { signal } from '@preact/signals'
import { HEAD, STATE } from '../../shared/explorer/queries.ts'
import { type Api, type Block, type Client, createClient } from '../index.ts'
import { webSocketTransport } from '../ws.ts'
import { ask, client, forgetAll } from './api.ts'
import { BASE, boot } from './boot.ts'
import { learnAccounts } from './names.ts'
import { toast } from './parts/Toast.tsx'

export type ChainState = Api['dev.state']['result']

/** The newest indexed masterchain block. */
export const head = signal<Block | null>(null)
/** State of the embedded chain; null on others, and for pages that may not control it. */
export const chainState = signal<ChainState | null>(null)
/** Whether the service answered last time. */
export const connected = signal(true)
/** Grows when views have to be read again: a new block, or an older state of the chain. */
export const tick = signal(0)

const POLL_MS = boot.network === 'devnet' ? 1_000 : 2_500
const LONGEST_MS = 30_000

let socket: Client | undefined
/** Until the socket has failed: some proxies let none through. */
let overSocket = true

/** Over one socket while it holds; a service behind a proxy without sockets is polled by requests. */
function liveClient(): Client {
  if (!overSocket) return client
  socket ??= createClient({ transport: webSocketTransport({ url: BASE.href, reconnect: { tries: 2 } }), retry: false })
  return socket
}

export async function readState(): Promise<void> {
  if (!boot.control) return
  try {
    take(await liveClient().dev.state())
  } catch {
    // The head is followed without it.
  }
}

function take(state: ChainState): void {
  const before = chainState.value
  chainState.value = state
  if (before === null) learnAccounts(state.accounts)
  if (before !== null && state.epoch !== before.epoch) afterRevert(state.head.seqno)
}

function afterRevert(seqno: number): void {
  forgetAll()
  tick.value++
  toast(`The chain was reverted to block ${seqno}.`)
}

function takeHead(last: Block): void {
  const before = head.value
  connected.value = true
  if (before?.seqno === last.seqno && before.root_hash === last.root_hash) return
  head.value = last
  if (before !== null && last.seqno < before.seqno && !boot.control) afterRevert(last.seqno)
  else if (before !== null) tick.value++
}

/** The head and the state the page came with, or the first ones of the service. */
async function begin(): Promise<void> {
  const state = boot.control ? ask(STATE).then(take, () => undefined) : undefined
  try {
    takeHead((await ask(HEAD)).last)
  } catch {
    connected.value = false
  }
  await state
}

const visible = (): boolean => document.visibilityState === 'visible'

async function poll(): Promise<void> {
  let failed = 0
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, Math.min(LONGEST_MS, POLL_MS * 2 ** failed)))
    if (!visible())
      await new Promise<void>((resolve) =>
        document.addEventListener('visibilitychange', () => resolve(), { once: true }),
      )
    try {
      const seqno = head.value?.seqno
      const { last } = await liveClient().v3.masterchainInfo()
      takeHead(last)
      if (last.seqno !== seqno) await readState()
      failed = 0
    } catch {
      // The first failure may be the socket's alone.
      if (!overSocket) connected.value = false
      overSocket = false
      failed++
    }
  }
}

export function startLive(): void {
  void begin().then(poll)
}
