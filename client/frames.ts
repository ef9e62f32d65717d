// Messages in flight on a socket, matched with replies by id. Ids are the socket's own: several clients may
// share one.

import { isObject, type RpcReply, type RpcRequest, toReplies, toText } from './protocol.ts'
import { TransportError } from './rpcErrors.ts'

interface Frame {
  /** Id on the wire to id of the request. */
  readonly ids: ReadonlyMap<number, number>
  readonly length: number
  readonly replies: RpcReply[]
  readonly resolve: (replies: readonly RpcReply[]) => void
  readonly reject: (error: unknown) => void
}

export interface Frames {
  /** Resolves with the replies of this message; rejects with the signal's reason, or when the socket breaks. */
  send(
    write: (text: string) => void,
    requests: readonly RpcRequest[],
    signal: AbortSignal,
  ): Promise<readonly RpcReply[]>
  receive(text: string): void
  /** None of them will be answered. */
  fail(toError: (frame: { readonly longest: boolean }) => unknown): void
}

/** The maximum calls of one message, if the error names it. */
function limitOf(error: unknown): number {
  const data = isObject(error) && isObject(error.data) ? error.data : {}
  return data.kind === 'batchTooLarge' && typeof data.limit === 'number' ? data.limit : 0
}

export function createFrames(): Frames {
  const frames = new Set<Frame>()
  const byId = new Map<number, Frame>()
  let lastId = 0

  const drop = (frame: Frame): void => {
    frames.delete(frame)
    for (const id of frame.ids.keys()) byId.delete(id)
  }

  const answer = (frame: Frame, replies: readonly RpcReply[]): void => {
    drop(frame)
    frame.resolve(replies)
  }

  const failAll: Frames['fail'] = (toError) => {
    const longest = Math.max(...[...frames].map(({ length }) => length))
    for (const frame of [...frames]) {
      drop(frame)
      frame.reject(toError({ longest: frame.length === longest }))
    }
  }

  /** A refusal without id is for the messages over the limit it names, or for all. */
  const refuse = (refusal: RpcReply): void => {
    const limit = limitOf(refusal.error)
    for (const frame of [...frames]) if (frame.ids.size > limit) answer(frame, [{ id: null, error: refusal.error }])
  }

  return {
    send(write, requests, signal) {
      if (signal.aborted) return Promise.reject(signal.reason)
      const ids = new Map<number, number>()
      const renamed = requests.map((request) => {
        lastId++
        ids.set(lastId, request.id)
        return { ...request, id: lastId }
      })
      const text = toText(renamed)
      return new Promise((resolve, reject) => {
        const leave = () => {
          drop(frame)
          reject(signal.reason)
        }
        const finish = () => signal.removeEventListener('abort', leave)
        const frame: Frame = {
          ids,
          length: text.length,
          replies: [],
          resolve: (replies) => {
            finish()
            resolve(replies)
          },
          reject: (error) => {
            finish()
            reject(error)
          },
        }
        frames.add(frame)
        for (const id of ids.keys()) byId.set(id, frame)
        signal.addEventListener('abort', leave)
        write(text)
      })
    },

    receive(text) {
      let body: unknown
      try {
        body = JSON.parse(text)
      } catch {
        return failAll(() => new TransportError({ reason: 'reply', text: 'a WebSocket message that is not JSON' }))
      }
      const replies = toReplies(body)
      const touched = new Set<Frame>()
      for (const reply of replies) {
        const frame = typeof reply.id === 'number' ? byId.get(reply.id) : undefined
        if (!frame) continue
        frame.replies.push({ ...reply, id: frame.ids.get(Number(reply.id)) })
        touched.add(frame)
      }
      for (const frame of touched) answer(frame, frame.replies)
      const [only] = replies
      if (!Array.isArray(body) && only?.error && (only.id ?? null) === null) refuse(only)
    },

    fail: failAll,
  }
}
