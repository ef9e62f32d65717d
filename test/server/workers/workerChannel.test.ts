// The pipe between two processes, with both of its ends in this one.

import { Duplex } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { createChannel, type Exchange } from '../../../server/workers/workerChannel.ts'
import { encodeFrame, frameReader, KIND } from '../../../server/workers/workerFrames.ts'
import { ApiError } from '../../../shared/errors.ts'

interface Asks {
  readonly double: Exchange<bigint, bigint>
  readonly text: Exchange<number, string>
  readonly fail: Exchange<'known' | 'unknown', null>
  readonly wait: Exchange<null, null>
}

interface Notices {
  readonly noted: string
}

/** Two streams, each of which reads what the other writes, cut into pieces of so many bytes. */
function pair(pieceBytes = 1_000_000): readonly [Duplex, Duplex] {
  const make = (other: () => Duplex): Duplex =>
    new Duplex({
      read: () => undefined,
      write(chunk: Buffer, _encoding, done) {
        for (let at = 0; at < chunk.length; at += pieceBytes) other().push(chunk.subarray(at, at + pieceBytes))
        done()
      },
    })
  const one: Duplex = make(() => two)
  const two: Duplex = make(() => one)
  return [one, two]
}

function connect(pieceBytes?: number) {
  const [near, far] = pair(pieceBytes)
  const noted: string[] = []
  const errors: unknown[] = []
  let onAbort = (): void => undefined
  const aborted = new Promise<void>((resolve) => {
    onAbort = resolve
  })
  const asking = createChannel<Asks, Notices, object, object>({
    stream: near,
    answers: {},
    takes: {},
    onError: () => undefined,
  })
  const answering = createChannel<object, object, Asks, Notices>({
    stream: far,
    answers: {
      double: (value) => 2n * value,
      text: (length) => 'ü'.repeat(length),
      fail(how) {
        throw how === 'known' ? new ApiError('rateLimited', 'slower', { retryAfter: 3 }) : new Error('private')
      },
      wait: (_, signal) =>
        new Promise(() => {
          signal.addEventListener('abort', onAbort)
        }),
    },
    takes: { noted: (text) => noted.push(text) },
    onError: (error) => errors.push(error),
  })
  return { asking, answering, noted, errors, aborted }
}

test.each([1, 7, 4096])('results arrive whole, whatever pieces of %i bytes they come in', async (pieceBytes) => {
  const { asking } = connect(pieceBytes)
  const results = await Promise.all([asking.ask('double', 2n ** 70n), asking.ask('text', 5_000), asking.ask('text', 0)])
  expect(results).toEqual([2n ** 71n, 'ü'.repeat(5_000), ''])
})

test('a hundred requests at once get each their own result', async () => {
  const { asking } = connect()
  const values = Array.from({ length: 100 }, (_, i) => BigInt(i))
  expect(await Promise.all(values.map((value) => asking.ask('double', value)))).toEqual(
    values.map((value) => 2n * value),
  )
})

test('notices arrive before the result of a later request', async () => {
  const { asking, noted } = connect()
  asking.notify('noted', 'first')
  await asking.ask('double', 1n)
  expect(noted).toEqual(['first'])
})

describe('a failure', () => {
  test('for callers keeps its kind, text and facts', async () => {
    const { asking } = connect()
    const error = await asking.ask('fail', 'known').catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({ kind: 'rateLimited', message: 'slower', data: { retryAfter: 3 } })
  })

  test('of another kind stays where it happened, and is reported there', async () => {
    const { asking, errors } = connect()
    const error = await asking.ask('fail', 'unknown').catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ kind: 'internal', message: 'Internal error' })
    expect(errors).toMatchObject([{ message: 'private' }])
  })
})

test('a request that is stopped is stopped on the other side', async () => {
  const { asking, aborted } = connect()
  const gone = new AbortController()
  void asking.ask('wait', null, gone.signal)
  gone.abort()
  await aborted
})

test('a request of a caller that has left already is stopped on the other side, too', async () => {
  const { asking, aborted } = connect()
  void asking.ask('wait', null, AbortSignal.abort())
  await aborted
})

test('requests without a result fail when the other side ends, and later ones at once', async () => {
  const { asking, answering } = connect()
  const waiting = asking.ask('wait', null)
  asking.close()
  answering.close()
  await expect(waiting).rejects.toMatchObject({ kind: 'busy' })
  await expect(asking.ask('double', 1n)).rejects.toMatchObject({ kind: 'busy' })
})

test('many frames in one piece, the last one cut', () => {
  const bytes = Buffer.concat([1, 2, 3].flatMap((id) => encodeFrame(KIND.text, id, `text ${id}`)))
  const read: unknown[] = []
  const take = frameReader(({ body }) => read.push(body))
  take(bytes.subarray(0, bytes.length - 3))
  expect(read).toEqual(['text 1', 'text 2'])
  take(bytes.subarray(bytes.length - 3))
  expect(read).toEqual(['text 1', 'text 2', 'text 3'])
})
