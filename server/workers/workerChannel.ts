// Requests, their results, and notices between two processes. What is sent in one turn of the event loop is written at once.

import type { Duplex } from 'node:stream'
import { ApiError, type ErrorData, type ErrorKind } from '../../shared/errors.ts'
import { LeanAbort } from '../process/index.ts'
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
  /** Writes what has been sent in this turn now, and not at its end. */
  flush(): void
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

/** There is no answer, and none comes over this channel any more. */
export class ChannelClosed extends ApiError {
  constructor() {
    super('busy', 'The process that answers this has ended', { retryAfter: 1 })
  }
}

const left = (): Error => new Error('the caller is gone')

/** One end of a channel: `Asks` and `Notices` are what it sends. */
class StreamChannel<Asks, Notices, Answered, Taken> implements WorkerChannel<Asks, Notices> {
  readonly #stream: Duplex
  readonly #onError: ChannelParts<Answered, Taken>['onError']
  readonly #answers: Readonly<Record<string, (body: unknown, signal: AbortSignal) => unknown>>
  readonly #takes: Readonly<Record<string, (body: unknown) => void>>
  readonly #waiting = new Map<number, Waiting>()
  readonly #running = new Map<number, LeanAbort>()
  #outgoing: Buffer[] = []
  #next = 1
  #isClosed = false

  constructor({ stream, onError, answers, takes }: ChannelParts<Answered, Taken>) {
    this.#stream = stream
    this.#onError = onError
    // The casts: both sides are of one version of this program.
    this.#answers = answers as Readonly<Record<string, (body: unknown, signal: AbortSignal) => unknown>>
    this.#takes = takes as unknown as Readonly<Record<string, (body: unknown) => void>>
    stream.on(
      'data',
      frameReader((frame) => this.#take(frame)),
    )
    stream.on('error', () => this.close())
    stream.on('close', () => this.close())
  }

  ask<N extends keyof Asks & string>(name: N, body: BodyOf<Asks[N]>, signal?: AbortSignal): Promise<ResultOf<Asks[N]>> {
    if (this.#isClosed) return Promise.reject(new ChannelClosed())
    const id = this.#next
    this.#next = id === 0xffff_ffff ? 1 : id + 1
    const answered = new Promise<unknown>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      this.#send(KIND.request, id, [name, body])
    })
    const cancel = () => this.#send(KIND.cancel, id, null)
    if (signal?.aborted === true) cancel()
    else signal?.addEventListener('abort', cancel, { once: true })
    const result = answered.finally(() => signal?.removeEventListener('abort', cancel))
    // The cast: as above.
    return result as Promise<ResultOf<Asks[N]>>
  }

  notify<N extends keyof Notices & string>(name: N, body: Notices[N]): void {
    this.#send(KIND.notice, 0, [name, body])
  }

  flush(): void {
    const buffers = this.#outgoing
    this.#outgoing = []
    if (this.#isClosed || buffers.length === 0) return
    this.#stream.cork()
    for (const buffer of buffers) this.#stream.write(buffer)
    this.#stream.uncork()
  }

  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#stream.destroy()
    for (const { reject } of this.#waiting.values()) reject(new ChannelClosed())
    this.#waiting.clear()
    for (const one of this.#running.values()) one.abort(left())
  }

  #send(...frame: Parameters<typeof encodeFrame>): void {
    if (this.#isClosed) return
    if (this.#outgoing.length === 0) setImmediate(() => this.flush())
    this.#outgoing.push(...encodeFrame(...frame))
  }

  // The casts: as above.
  #take({ kind, id, body }: Frame): void {
    if (kind === KIND.request) void this.#answer(id, body as [string, unknown])
    else if (kind === KIND.cancel) this.#running.get(id)?.abort(left())
    else if (kind === KIND.notice) {
      const [name, content] = body as [string, unknown]
      this.#takes[name]?.(content)
    } else if (kind === KIND.failure) {
      const { kind: of, text, data } = body as Failure
      this.#settle(id, ({ reject }) => reject(new ApiError(of, text, data)))
    } else this.#settle(id, ({ resolve }) => resolve(body))
  }

  async #answer(id: number, [name, body]: readonly [string, unknown]): Promise<void> {
    const given = new LeanAbort()
    this.#running.set(id, given)
    try {
      const result = await this.#answers[name]?.(body, given.signal)
      if (typeof result === 'string') this.#send(KIND.text, id, result)
      else this.#send(KIND.result, id, result)
    } catch (error) {
      this.#fail(id, name, error)
    } finally {
      this.#running.delete(id)
    }
  }

  #fail(id: number, name: string, error: unknown): void {
    const known = error instanceof ApiError ? error : new ApiError('internal')
    if (known !== error) this.#onError(error, name)
    this.#send(KIND.failure, id, { kind: known.kind, text: known.message, data: known.data } satisfies Failure)
  }

  #settle(id: number, use: (one: Waiting) => void): void {
    const one = this.#waiting.get(id)
    this.#waiting.delete(id)
    if (one !== undefined) use(one)
  }
}

export function createChannel<Asks, Notices, Answered, Taken>(
  parts: ChannelParts<Answered, Taken>,
): WorkerChannel<Asks, Notices> {
  return new StreamChannel(parts)
}
