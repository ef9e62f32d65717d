// Requests, their results, and notices between two processes. What is sent in one turn of the event loop is written at once.

import type { Duplex } from 'node:stream'
import { ApiError, type ErrorData, type ErrorKind } from '../../shared/errors.ts'
import { encodeFrame, type Frame, frameReader, KIND } from './workerFrames.ts'

/** What one side answers, by name. */
export type ChannelAnswers<T> = {
  readonly [N in keyof T]: T[N] extends Exchange<infer B, infer R>
    ? (body: B, signal: AbortSignal) => R | Promise<R>
    : never
}
/** What one side takes note of, by name. */
export type Takes<T> = { readonly [N in keyof T]: (body: T[N]) => void }

export interface Exchange<B, R> {
  readonly body: B
  readonly result: R
}

type BodyOf<E> = E extends Exchange<infer B, unknown> ? B : never
type ResultOf<E> = E extends Exchange<never, infer R> ? R : E extends Exchange<infer _, infer R> ? R : never

export interface WorkerChannel<Asks, Notices> {
  /** Rejects with ApiError, also when the other side ends. */
  ask<N extends keyof Asks & string>(name: N, body: BodyOf<Asks[N]>, signal?: AbortSignal): Promise<ResultOf<Asks[N]>>
  notify<N extends keyof Notices & string>(name: N, body: Notices[N]): void
  close(): void
}

interface Waiting {
  resolve(value: unknown): void
  reject(error: Error): void
}

interface Failure {
  readonly kind: ErrorKind
  readonly text: string
  readonly data: ErrorData
}

export interface ChannelParts<Answered, Taken> {
  readonly stream: Duplex
  readonly answers: ChannelAnswers<Answered>
  readonly takes: Takes<Taken>
  /** Called with what went wrong in an answer and is no error for callers. */
  readonly onError: (error: unknown, name: string) => void
}

const gone = (): ApiError => new ApiError('busy', 'The process that answers this has ended', { retryAfter: 1 })

export function createChannel<Asks, Notices, Answered, Taken>(
  parts: ChannelParts<Answered, Taken>,
): WorkerChannel<Asks, Notices> {
  const { stream, onError } = parts
  // The casts: both sides are of one version of this program.
  const answers = parts.answers as Readonly<Record<string, (body: unknown, signal: AbortSignal) => unknown>>
  const takes = parts.takes as unknown as Readonly<Record<string, (body: unknown) => void>>
  const waiting = new Map<number, Waiting>()
  const running = new Map<number, AbortController>()
  let outgoing: Buffer[] = []
  let next = 1
  let isClosed = false

  function flush(): void {
    const buffers = outgoing
    outgoing = []
    if (isClosed) return
    stream.cork()
    for (const buffer of buffers) stream.write(buffer)
    stream.uncork()
  }

  function send(...frame: Parameters<typeof encodeFrame>): void {
    if (isClosed) return
    if (outgoing.length === 0) setImmediate(flush)
    outgoing.push(...encodeFrame(...frame))
  }

  function fail(id: number, name: string, error: unknown): void {
    const known = error instanceof ApiError ? error : new ApiError('internal')
    if (known !== error) onError(error, name)
    send(KIND.failure, id, { kind: known.kind, text: known.message, data: known.data } satisfies Failure)
  }

  async function answer(id: number, [name, body]: readonly [string, unknown]): Promise<void> {
    const given = new AbortController()
    running.set(id, given)
    try {
      const result = await answers[name]?.(body, given.signal)
      if (typeof result === 'string') send(KIND.text, id, result)
      else send(KIND.result, id, result)
    } catch (error) {
      fail(id, name, error)
    } finally {
      running.delete(id)
    }
  }

  function settle(id: number, use: (one: Waiting) => void): void {
    const one = waiting.get(id)
    waiting.delete(id)
    if (one !== undefined) use(one)
  }

  // The casts: as above.
  function take({ kind, id, body }: Frame): void {
    if (kind === KIND.request) void answer(id, body as [string, unknown])
    else if (kind === KIND.cancel) running.get(id)?.abort(new Error('the caller is gone'))
    else if (kind === KIND.notice) {
      const [name, content] = body as [string, unknown]
      takes[name]?.(content)
    } else if (kind === KIND.failure) {
      const { kind: of, text, data } = body as Failure
      settle(id, ({ reject }) => reject(new ApiError(of, text, data)))
    } else settle(id, ({ resolve }) => resolve(body))
  }

  function close(): void {
    if (isClosed) return
    isClosed = true
    stream.destroy()
    for (const { reject } of waiting.values()) reject(gone())
    waiting.clear()
    for (const one of running.values()) one.abort(new Error('the caller is gone'))
  }

  stream.on('data', frameReader(take))
  stream.on('error', close)
  stream.on('close', close)
  return {
    ask(name, body, signal) {
      if (isClosed) return Promise.reject(gone())
      const id = next
      next = next === 0xffff_ffff ? 1 : next + 1
      const answered = new Promise<unknown>((resolve, reject) => {
        waiting.set(id, { resolve, reject })
        send(KIND.request, id, [name, body])
      })
      const cancel = () => send(KIND.cancel, id, null)
      signal?.addEventListener('abort', cancel, { once: true })
      const result = answered.finally(() => signal?.removeEventListener('abort', cancel))
      // The cast: as above.
      return result as Promise<never>
    },
    notify: (name, body) => send(KIND.notice, 0, [name, body]),
    close,
  }
}
