// Messages in flight on a socket, matched with replies by id. Ids are the socket's own: several clients may
// share one.

import { abortReason } from './abortReason.ts'
import { refusalIn } from './answers.ts'
import { isObject, type RpcReply, type RpcRequest, toReplies, toText } from './protocol.ts'
import { TransportError } from './rpcErrors.ts'

/** A socket that has been silent for so long when a caller gives up counts as dead: a network can vanish without closing it. */
const SILENCE_MS = 10_000

const ADVICE = 'check whether this call had its effect; alone on its WebSocket a call has its own answer'

interface Frame {
  /** Id on the wire to id of the request. */
  readonly ids: ReadonlyMap<number, number>
  readonly length: number
  readonly replies: RpcReply[]
  readonly resolve: (replies: readonly RpcReply[]) => void
  readonly reject: (error: unknown) => void
}

const dataOf = (error: unknown): Readonly<Record<string, unknown>> =>
  isObject(error) && isObject(error.data) ? error.data : {}

/** The maximum calls of one message, if the error names it. */
function limitOf(error: unknown): number {
  const { kind, limit } = dataOf(error)
  return kind === 'batchTooLarge' && typeof limit === 'number' ? limit : 0
}

/** Of each of several messages, one of which was refused. */
function refusedAmong(count: number, error: unknown): TransportError {
  const { retryAfter } = dataOf(error)
  const why = isObject(error) ? String(error.message) : ''
  return new TransportError({
    reason: 'network',
    text: `one of ${count} messages on the WebSocket was refused without its id: ${why}`,
    retryAfter: typeof retryAfter === 'number' ? retryAfter : undefined,
    advice: ADVICE,
  })
}

interface Ends {
  readonly drop: (frame: Frame) => void
  /** Called when its caller gives up before the answer. */
  readonly left: (frame: Frame) => void
}

/** A message in flight that leaves the signal and the list, by `drop`, before it settles. */
function openFrame(
  { ids, length, resolve, reject }: Omit<Frame, 'replies'>,
  signal: AbortSignal,
  { drop, left }: Ends,
): Frame {
  const leave = () => {
    frame.reject(abortReason(signal))
    left(frame)
  }
  const finish = () => {
    signal.removeEventListener('abort', leave)
    drop(frame)
  }
  const frame: Frame = {
    ids,
    length,
    replies: [],
    resolve(replies) {
      finish()
      resolve(replies)
    },
    reject(error) {
      finish()
      reject(error)
    },
  }
  signal.addEventListener('abort', leave)
  return frame
}

export class Frames {
  readonly #frames = new Set<Frame>()
  readonly #byId = new Map<number, Frame>()
  /** Messages that nothing waits for any more and that have no answer yet, by one of their ids. */
  readonly #unanswered = new Set<number>()
  readonly #onSilence: () => void
  #lastId = 0
  /** Since when nothing was heard though a message was sent; null when none waited when the socket was last heard. */
  #silentSince: number | null = null

  /** Calls back when a caller gives up on a socket that counts as dead. */
  constructor(onSilence: () => void) {
    this.#onSilence = onSilence
  }

  /** Resolves with the replies of this message; rejects with the signal's reason, or when the socket breaks. */
  send(
    write: (text: string) => void,
    requests: readonly RpcRequest[],
    signal: AbortSignal,
  ): Promise<readonly RpcReply[]> {
    if (signal.aborted) return Promise.reject(abortReason(signal))
    const ids = new Map<number, number>()
    const renamed = requests.map((request) => {
      this.#lastId++
      ids.set(this.#lastId, request.id)
      return { ...request, id: this.#lastId }
    })
    const text = toText(renamed)
    return new Promise((resolve, reject) => {
      const frame = openFrame({ ids, length: text.length, resolve, reject }, signal, {
        drop: this.#drop,
        left: this.#left,
      })
      this.#frames.add(frame)
      for (const id of ids.keys()) this.#byId.set(id, frame)
      this.#silentSince ??= performance.now()
      write(text)
    })
  }

  receive(text: string): void {
    this.#read(text)
    this.#silentSince = this.#frames.size === 0 ? null : performance.now()
  }

  #read(text: string): void {
    let body: unknown
    try {
      body = JSON.parse(text)
    } catch {
      this.fail(() => new TransportError({ reason: 'reply', text: 'a WebSocket message that is not JSON' }))
      return
    }
    const replies = toReplies(body)
    const touched = new Set<Frame>()
    for (const reply of replies) {
      if (typeof reply.id !== 'number') continue
      this.#unanswered.delete(reply.id)
      const frame = this.#byId.get(reply.id)
      if (!frame) continue
      frame.replies.push({ ...reply, id: frame.ids.get(reply.id) })
      touched.add(frame)
    }
    for (const frame of touched) frame.resolve(frame.replies)
    const refusal = Array.isArray(body) ? undefined : refusalIn(replies)
    if (refusal) this.#refuse(refusal)
  }

  /** None of them will be answered. */
  fail(toError: (frame: { readonly longest: boolean }) => unknown): void {
    this.#silentSince = null
    this.#unanswered.clear()
    let longest = 0
    for (const { length } of this.#frames) longest = Math.max(longest, length)
    for (const frame of [...this.#frames]) frame.reject(toError({ longest: frame.length === longest }))
  }

  /**
   * A refusal without id is for the messages over the limit it names, else for one that was sent. Where there are several, the others
   * may be running: a call that changes something must not be sent again.
   */
  #refuse({ error }: RpcReply): void {
    const limit = limitOf(error)
    const frames = [...this.#frames].filter(({ ids }) => ids.size > limit)
    const count = frames.length + this.#unanswered.size
    for (const frame of frames) {
      if (limit > 0 || count === 1) frame.resolve([{ id: null, error }])
      else {
        frame.reject(refusedAmong(count, error))
        this.#noteUnanswered(frame)
      }
    }
    if (limit > 0) return
    // Which of them was refused makes no difference: they are counted.
    const [one] = this.#unanswered
    if (one !== undefined) this.#unanswered.delete(one)
  }

  #noteUnanswered({ ids }: Frame): void {
    const [id] = ids.keys()
    if (id !== undefined) this.#unanswered.add(id)
  }

  readonly #left = (frame: Frame): void => {
    this.#noteUnanswered(frame)
    if (this.#silentSince !== null && performance.now() - this.#silentSince >= SILENCE_MS) this.#onSilence()
  }

  readonly #drop = (frame: Frame): void => {
    this.#frames.delete(frame)
    for (const id of frame.ids.keys()) this.#byId.delete(id)
  }
}
