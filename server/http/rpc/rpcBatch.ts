// The calls of one batch: in lanes, in slices of the event loop's turns, within one time and one size of the whole reply. Where calls
// wait for a far server there are more lanes, for such calls alone: they would take nothing but time.

import { ApiError, httpStatuses } from '../../../shared/errors.ts'
import { inSlices, SLICE_MS, type Slicing, type Turns, turnBegan } from '../../fairness/index.ts'
import { type ChargedCall, LONG_TEXT, type Parts } from '../../methods/index.ts'
import { ReplyInParts, type WrittenReply } from '../dialect/dialect.ts'
import { bytesOf } from '../replies/bytes.ts'
import { BatchCall } from './batchCall.ts'

export interface BatchLimits {
  readonly batchLanes: number
  readonly batchMs: number
  readonly replyBytes: number
}

/** The reply to a call; null when there is nothing to say. */
export type PendingReply = WrittenReply | null | Promise<WrittenReply | null>

/** A call that was parsed. */
export interface BatchItem {
  /** By how much more of its kind may be in flight than of calls that nothing far is waited for. */
  readonly stretch: number
  run(call: ChargedCall): PendingReply
}

export interface RpcBatchParts {
  readonly limits: BatchLimits
  /** Where long batches wait between their slices. */
  readonly turns: Turns
  readonly parse: (item: unknown) => BatchItem
  /** The reply of a call that is not run because the batch has come to one of its bounds. */
  readonly skip: (item: unknown, error: ApiError) => WrittenReply | null
}

/** Calls of a batch between two looks at the clock. */
const LOOK_EVERY = 16
/** Milliseconds of a batch in one turn of the event loop that others have used up. */
const LEAST_MS = 1
/** By so much may the timer that ended a call for the batch's deadline come before that deadline. */
const EARLY_MS = 1

const endOfSlice = (now: number): number => Math.max(now + LEAST_MS, turnBegan() + SLICE_MS)

export class RpcBatch {
  readonly #items: readonly unknown[]
  readonly #call: ChargedCall
  readonly #ownCall: BatchCall
  readonly #parts: RpcBatchParts
  readonly #replies: (WrittenReply | null)[]
  /** Checked only after the first yield: a quick batch does not pay for a signal. */
  #signal: AbortSignal | null = null
  #next = 0
  /** The next call, parsed by a lane that was not for it. */
  #parsed: BatchItem | null = null
  #lanes = 0
  readonly #more: Promise<void>[] = []
  #size = 0
  #now = performance.now()
  #sliceEnd = endOfSlice(this.#now)

  constructor(items: readonly unknown[], call: ChargedCall, parts: RpcBatchParts) {
    this.#items = items
    this.#call = call
    this.#parts = parts
    this.#ownCall = new BatchCall(call, this.#now + parts.limits.batchMs)
    this.#replies = new Array(items.length).fill(null)
  }

  /** The replies in the order of the calls. */
  async replies(): Promise<readonly (WrittenReply | null)[]> {
    const lanes = Math.min(this.#parts.limits.batchLanes, this.#items.length)
    this.#lanes = lanes
    await Promise.all(Array.from({ length: lanes }, () => this.#lane(false)))
    // Those that were added meanwhile add further ones before they end.
    for (const lane of this.#more) await lane
    this.#call.budget = this.#ownCall.budget
    return this.#replies
  }

  /** `isMore`: only for calls that wait for a far server. */
  async #lane(isMore: boolean): Promise<void> {
    const { parse, skip } = this.#parts
    while (this.#next < this.#items.length && !this.#signal?.aborted) {
      if (this.#now >= this.#sliceEnd) {
        await this.#nextSlice()
        continue
      }
      const stop = this.#bound()
      if (stop !== null) {
        this.#replies[this.#next] = skip(this.#items[this.#next], stop)
        this.#next++
        continue
      }
      const item = this.#parsed ?? parse(this.#items[this.#next])
      this.#parsed = null
      if (isMore && item.stretch <= 1) {
        this.#parsed = item
        break
      }
      const i = this.#next++
      if (i % LOOK_EVERY === LOOK_EVERY - 1) this.#now = performance.now()
      const reply = item.run(this.#ownCall)
      if (!(reply instanceof Promise)) this.#replies[i] = reply
      else {
        this.#signal = this.#call.signal
        this.#widen(item)
        this.#replies[i] = await reply
        this.#now = performance.now()
      }
      this.#count(i)
    }
    this.#lanes--
  }

  /** A long reply that comes after the bound was passed is dropped; a short one may be all that is known of a change. */
  #count(i: number): void {
    const length = lengthOf(this.#replies[i])
    if (this.#size > this.#parts.limits.replyBytes && length > LONG_TEXT)
      this.#replies[i] = this.#parts.skip(this.#items[i], this.#tooLarge())
    this.#size += lengthOf(this.#replies[i])
  }

  /** One more lane while a call waits, up to as many times the usual ones as its way is longer. */
  #widen({ stretch }: BatchItem): void {
    if (this.#lanes >= Math.floor(this.#parts.limits.batchLanes * stretch)) return
    this.#lanes++
    const lane = this.#lane(true)
    // It is awaited at the end.
    lane.catch(() => undefined)
    this.#more.push(lane)
  }

  async #nextSlice(): Promise<void> {
    this.#signal = this.#call.signal
    await this.#parts.turns.next(this.#call.caller.subject)
    this.#now = performance.now()
    this.#sliceEnd = endOfSlice(this.#now)
  }

  #tooLarge(): ApiError {
    const limit = this.#parts.limits.replyBytes
    return new ApiError('replyTooLarge', `Reply too large: ${limit} bytes at most for one batch`, {
      limit,
      reason: 'batch',
    })
  }

  /** Why no further call is run, or null. */
  #bound(): ApiError | null {
    const { replyBytes, batchMs } = this.#parts.limits
    if (this.#size > replyBytes) return this.#tooLarge()
    if (this.#now > this.#ownCall.deadline - EARLY_MS)
      return new ApiError('timeout', `Timeout: the whole batch took longer than ${batchMs} ms`, { limit: batchMs })
    return null
  }
}

/** Characters, or bytes where it was made as those. */
function lengthOf(reply: WrittenReply | null | undefined): number {
  let sum = 0
  for (const { length } of reply?.texts ?? [reply?.text ?? '']) sum += length
  return sum
}

type Part = string | Buffer

const isText = (part: Part): part is string => typeof part === 'string'

/** A result that was made as bytes stays those: as a text it would be a copy, made in one piece. */
async function partsOf(parts: readonly Part[], slicing: Slicing): Promise<Parts> {
  if (parts.every(isText)) return parts
  const short = (part: Part): Part => (isText(part) && part.length <= LONG_TEXT ? Buffer.from(part) : part)
  const made: Buffer[] = []
  for (const part of await inSlices(parts, short, slicing))
    if (isText(part)) made.push(...(await bytesOf([part], slicing)))
    else made.push(part)
  return made
}

/** One reply of all; null when there is none. It is refused as a whole when every call was for the rate. */
export async function joinReplies(
  replies: readonly (WrittenReply | null)[],
  slicing: Slicing,
): Promise<WrittenReply | null> {
  const said = replies.filter((reply) => reply !== null)
  if (said.length === 0) return null
  const limited = said.every((reply) => reply.status === httpStatuses.rateLimited)
  if (limited) {
    const retryAfter = Math.min(...said.map((reply) => reply.retryAfter ?? 1))
    const text = `[${said.map((reply) => reply.text).join()}]`
    return { status: httpStatuses.rateLimited, text, retryAfter, refused: true }
  }
  const texts = said.flatMap((reply, i): Part[] => {
    const before = i === 0 ? '[' : ','
    return reply.texts === undefined ? [before + reply.text] : [before, ...reply.texts]
  })
  return new ReplyInParts(await partsOf([...texts, ']'], slicing))
}
