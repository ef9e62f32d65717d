// Every bound of the HTTP side, with its default. Each is named in its own refusal and in the documents.

import type { Network } from '../../shared/network.ts'
import type { AddressRanges } from '../access/index.ts'

export interface HttpOptions {
  /** The chain this process serves. */
  readonly network: Network
  /** Where callers reach the service; null when only they know. */
  readonly publicUrl: string | null
  /** Pages for people; `public` gives their calls a budget of their own. */
  readonly explorer: 'on' | 'off' | 'public'
  /** Decoders of the operator for the explorer; null without. */
  readonly plugin: PluginScript | null
  /** Where pictures of tokens come from; null when pages have none. */
  readonly pictureAt: PictureAt | null
  /** Whether some of them are fetched from other hosts. */
  readonly fetchesPictures: boolean
  /** Origins a browser page may call from; `*` for any. */
  readonly corsOrigins: readonly string[]
  /** Whose X-Forwarded-For is believed. */
  readonly proxies: AddressRanges
  /** Secret that opens the control methods to callers from elsewhere; empty for none. */
  readonly controlToken: string
  /** Origins of pages that may use them as programs on this machine may. */
  readonly controlOrigins: readonly string[]
  /** Secret of those who administer keys; empty for none. */
  readonly adminToken: string
  readonly limits: HttpLimits
}

/**
 * Null when the link leads to no picture, or to none for now. Waits for the caller's turn, then ends by its own time limit.
 * Rejects with LaneQueueFull when too many pictures of that caller wait, and with the reason of the signal.
 */
export type PictureAt = (
  link: string,
  caller: { readonly subject: string; readonly signal: AbortSignal },
) => Promise<{ readonly type: string; readonly bytes: Buffer } | null>

export interface PluginScript {
  /** Below the root, with the hash of its content. */
  readonly path: string
  readonly body: Buffer
}

export interface HttpLimits {
  readonly bodyBytes: number
  readonly urlBytes: number
  /** URL and headers together. */
  readonly headerBytes: number
  /** The same on v3 paths, URL included: they take lists of up to 1,024 addresses. */
  readonly v3HeadBytes: number
  readonly batchItems: number
  readonly batchItemsWithKey: number
  readonly replyBytes: number
  readonly jsonDepth: number
  /** Calls of one batch that run at the same time. */
  readonly batchLanes: number
  /** What a whole batch may take; calls not reached by then are refused, and the others answered. */
  readonly batchMs: number
  /** Longest text that is read for a caller who has nothing left to spend. */
  readonly exhaustedBytes: number
  readonly headersMs: number
  readonly requestMs: number
  readonly keepAliveMs: number
  /** A connection is closed when nothing of an answer was taken from it for so long. */
  readonly unreadMs: number
  /** How often the first two of these are checked. */
  readonly checkMs: number
  readonly connections: number
  readonly connectionsPerAddress: number
  readonly sockets: number
  readonly frameBytes: number
  readonly frameFragments: number
  /** Frames of one socket being answered at once; more are left unread until one is done. */
  readonly framesInFlight: number
  /** A socket with more refused frames than this within `refusalsMs` is closed, and its caller kept out for as long. */
  readonly refusals: number
  readonly refusalsMs: number
  readonly pingMs: number
  /** A socket that leaves this much unread for `slowMs` is closed. */
  readonly slowBytes: number
  readonly slowMs: number
  /** Unread bytes of all connections together; above it, the caller with the most loses connections. */
  readonly heldBytes: number
  /** A stream that leaves this much unread is closed. */
  readonly streamBytes: number
  /** What was missed is sent to readers that take at least so much. */
  readonly streamBytesPerSecond: number
  /** Between two signs of life of a stream. */
  readonly streamKeepaliveMs: number
  readonly streamPingMs: number
  readonly drainMs: number
  /** A page of the explorer is not held back longer for the results in it. */
  readonly pageMs: number
  /** What runs longer for a page is stopped; until then a page that calls for it joins the run. */
  readonly pageCallsMs: number
  /** An event loop that was later than this is not well, by /healthz. */
  readonly lateMs: number
}

/** Connections that are refused in words at the same time, of so many there may be; further ones are just closed. */
export const mostRefusals = (connections: number): number => Math.min(128, Math.max(8, Math.ceil(connections / 8)))

const KIB = 1024
const MIB = 1024 * KIB

export const defaultLimits: HttpLimits = {
  bodyBytes: MIB,
  urlBytes: 8 * KIB,
  headerBytes: 16 * KIB,
  v3HeadBytes: 128 * KIB,
  batchItems: 100,
  batchItemsWithKey: 1000,
  replyBytes: 10 * MIB,
  jsonDepth: 64,
  batchLanes: 4,
  batchMs: 20_000,
  exhaustedBytes: 16 * KIB,
  headersMs: 10_000,
  requestMs: 30_000,
  keepAliveMs: 65_000,
  unreadMs: 60_000,
  checkMs: 1_000,
  connections: 1000,
  connectionsPerAddress: 50,
  sockets: 500,
  frameBytes: MIB,
  frameFragments: 256,
  framesInFlight: 16,
  refusals: 100,
  refusalsMs: 10_000,
  pingMs: 20_000,
  slowBytes: 4 * MIB,
  slowMs: 10_000,
  heldBytes: 256 * MIB,
  streamBytes: MIB,
  streamBytesPerSecond: 16 * KIB,
  streamKeepaliveMs: 15_000,
  streamPingMs: 30_000,
  drainMs: 10_000,
  pageMs: 150,
  pageCallsMs: 3_000,
  lateMs: 1_000,
}
