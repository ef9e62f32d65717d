// Blocks as the service reports them, over one socket. It ends when the socket breaks, is refused, or leaves a call
// without a reply.

import type { Api, Block } from '../index.ts'
import { apiKey } from './calling.ts'
import { BASE, boot } from './pageBoot.ts'

export interface FeedEvents {
  /** Root hash of the zero state, once for each socket. */
  onGenesis(hash: string): void
  onHead(last: Block): void
  onState(state: Api['dev.state']['result']): void
  /** The chain went back to an older block. */
  onRevert(): void
  /** So many messages wait for a block. */
  onPending(count: number): void
}

export interface HeadFeed {
  /** Whether the service reported blocks before it ended. */
  readonly over: Promise<boolean>
  close(): void
}

/** Without a message for so long the head is requested; without a reply the connection is dead. */
const SILENCE_MS = 60_000
const REPLY_MS = 10_000

const METHODS = ['stream.subscribe', 'v3.masterchainInfo', 'dev.state', 'getMasterchainInfo'] as const
type Method = (typeof METHODS)[number]

/** Ids of calls say their method, so that a reply is read by its id alone. */
const idOf = (method: Method): number => METHODS.indexOf(method) + 1

const isResultOf = <M extends Method & keyof Api>(
  method: M,
  id: unknown,
  result: unknown,
): result is Api[M]['result'] => id === idOf(method) && Boolean(result)

interface Message {
  readonly id?: number
  readonly error?: unknown
  readonly result?: unknown
  readonly params?: { readonly result?: { readonly type?: string; readonly block?: Block; readonly count?: number } }
}

function address(): string {
  const url = new URL('jsonRPC', BASE)
  url.protocol = url.protocol.replace('http', 'ws')
  // A socket of a browser has no headers of ours.
  if (apiKey !== undefined) url.searchParams.set('api_key', apiKey)
  return url.href
}

/** One call at a time: a tab that slept is given hundreds of blocks at once. */
function createStateReader(call: () => void, giveUp: () => void) {
  let wanted = 0
  let patience: ReturnType<typeof setTimeout> | undefined
  const want = (): void => {
    wanted++
    if (!boot.control || wanted > 1) return
    call()
    patience = setTimeout(giveUp, REPLY_MS)
  }
  const answered = (): void => {
    clearTimeout(patience)
    const hasMore = wanted > 1
    wanted = 0
    if (hasMore) want()
  }
  return { want, answered }
}

/** Where no answer to the closing comes, a browser waits for it a minute, in which nothing would follow the chain. */
function closeNow(socket: WebSocket): void {
  socket.close()
  socket.dispatchEvent(new Event('close'))
}

export function openFeed({ onGenesis, onHead, onState, onRevert, onPending }: FeedEvents): HeadFeed {
  const socket = new WebSocket(address())
  const close = (): void => closeNow(socket)
  let isSubscribed = false
  let silence: ReturnType<typeof setTimeout> | undefined
  let newest = 0

  /** A reply and the report of a block can overtake each other: only a revert, which is reported, leads to an older block. */
  const takeHead = (last: Block): void => {
    if (last.seqno < newest) return
    newest = last.seqno
    onHead(last)
  }
  const call = (method: Method, params: unknown = {}): void =>
    socket.send(JSON.stringify({ jsonrpc: '2.0', id: idOf(method), method, params }))
  const state = createStateReader(() => call('dev.state'), close)
  const look = (): void => {
    call('v3.masterchainInfo')
    state.want()
  }
  const waitForMore = (): void => {
    clearTimeout(silence)
    silence = setTimeout(() => {
      look()
      silence = setTimeout(close, REPLY_MS)
    }, SILENCE_MS)
  }

  function take({ id, error, result, params }: Message): void {
    if (id === idOf('stream.subscribe')) {
      if (error !== undefined) {
        close()
        return
      }
      isSubscribed = true
      // The service may have been started again, with another chain.
      call('getMasterchainInfo')
      // Blocks that came since the page was written.
      look()
    }
    if (isResultOf('getMasterchainInfo', id, result)) onGenesis(result.init.root_hash)
    if (isResultOf('v3.masterchainInfo', id, result)) takeHead(result.last)
    if (id === idOf('dev.state')) state.answered()
    if (isResultOf('dev.state', id, result)) onState(result)
    const { type, block, count } = params?.result ?? {}
    if (type === 'chain_reverted') {
      newest = 0
      onRevert()
    }
    if (type === 'pending_messages' && count !== undefined) onPending(count)
    if (type !== 'blocks' || block?.workchain !== -1) return
    takeHead(block)
    state.want()
  }

  const over = new Promise<boolean>((resolve) => {
    silence = setTimeout(close, REPLY_MS)
    socket.addEventListener('open', () => call('stream.subscribe', { types: ['blocks'], pending_messages: true }))
    socket.addEventListener('message', ({ data }) => {
      waitForMore()
      try {
        take(JSON.parse(String(data)))
      } catch {
        // Whatever answers here, it is not the feed.
        close()
      }
    })
    socket.addEventListener('close', () => {
      clearTimeout(silence)
      resolve(isSubscribed)
    })
  })
  return { over, close }
}
