import { describe, expect, test, vi } from 'vitest'
import { abandon, createDelivery, createItem, type Item } from '../../client/delivery.ts'
import type { RpcReply, RpcRequest } from '../../client/protocol.ts'
import { NO_RETRY, RETRY } from '../../client/retry.ts'
import { TransportError } from '../../client/rpcErrors.ts'
import { failure, success } from './stubService.ts'

type Step = (requests: readonly RpcRequest[], signal: AbortSignal) => readonly RpcReply[] | Promise<readonly RpcReply[]>

const answerAll: Step = (requests) => requests.map(({ id }) => success(id, id))
const soon = { ...RETRY, baseMs: 1 }

/** A delivery of `count` calls over a transport that takes one step per message. */
function setUp(count: number, steps: Step[], options: { retry?: typeof RETRY; once?: boolean } = {}) {
  const sent: number[][] = []
  const limits: number[] = []
  const deliver = createDelivery({
    transport: async (requests, signal) => {
      sent.push(requests.map(({ id }) => id))
      return (steps.shift() ?? answerAll)(requests, signal)
    },
    retry: options.retry ?? soon,
    onLimit: (limit) => limits.push(limit),
  })
  const onSetback = vi.fn()
  const items: Item[] = []
  const answers = Array.from({ length: count }, (_, index) => {
    const request = { jsonrpc: '2.0', id: index + 1, method: `m${index + 1}`, params: {} } as const
    return new Promise((resolve, reject) => {
      items.push(
        createItem({
          request,
          bytes: 10,
          once: options.once ?? false,
          longestMs: () => Number.POSITIVE_INFINITY,
          resolve,
          reject,
          onSetback,
        }),
      )
    })
  })
  const leave = (index: number) => {
    const item = items[index]
    if (item) abandon(item)
  }
  deliver(items)
  return { sent, limits, leave, answers, onSetback }
}

describe('answers', () => {
  test('default', async () => {
    const { answers, sent } = setUp(3, [])
    expect(await Promise.all(answers)).toEqual([1, 2, 3])
    expect(sent).toEqual([[1, 2, 3]])
  })

  test('error: one refused call does not touch the others', async () => {
    const { answers } = setUp(2, [([one, two]) => [failure(two?.id, 'notFound'), success(one?.id, 'fine')]])
    await expect(answers[1]).rejects.toMatchObject({ kind: 'notFound', method: 'm2' })
    await expect(answers[0]).resolves.toBe('fine')
  })

  test('error: a transport that throws anything fails each call under its own name', async () => {
    const boom: Step = () => {
      throw new Error('boom')
    }
    const { answers } = setUp(2, [boom], { retry: NO_RETRY })
    await expect(answers[0]).rejects.toMatchObject({ reason: 'network', method: 'm1', cause: { message: 'boom' } })
    await expect(answers[1]).rejects.toMatchObject({ method: 'm2' })
  })

  test('error: a transport that returns nonsense', async () => {
    const { answers } = setUp(1, [() => null as never], { retry: NO_RETRY })
    await expect(answers[0]).rejects.toMatchObject({ name: 'TransportError', method: 'm1' })
  })
})

describe('another try', () => {
  const network: Step = () => {
    throw new TransportError({ reason: 'network', text: 'reset' })
  }

  test('default: of those that were refused, together', async () => {
    const { answers, sent, onSetback } = setUp(4, [
      (requests) => requests.map(({ id }) => (id % 2 ? success(id, id) : failure(id, 'rateLimited'))),
    ])
    expect(await Promise.all(answers)).toEqual([1, 2, 3, 4])
    expect(sent).toEqual([
      [1, 2, 3, 4],
      [2, 4],
    ])
    expect(onSetback).toHaveBeenCalledTimes(2)
  })

  test('behavior: ends after the last try with the last error', async () => {
    const { answers, sent } = setUp(1, Array(9).fill(network))
    await expect(answers[0]).rejects.toMatchObject({ reason: 'network', method: 'm1' })
    expect(sent).toHaveLength(4)
  })

  test('args: once is not sent again when it may have run', async () => {
    const { answers, sent } = setUp(1, [network], { once: true })
    await expect(answers[0]).rejects.toMatchObject({ reason: 'network' })
    expect(sent).toHaveLength(1)
  })

  test('error: a message refused after a lost reply may have been taken, which the error says', async () => {
    const refuse: Step = ([one]) => [failure(one?.id, 'messageRefused')]
    const timeout: Step = ([one]) => [failure(one?.id, 'timeout')]
    for (const lost of [network, timeout]) {
      const [answer] = setUp(1, [lost, refuse]).answers
      await expect(answer).rejects.toMatchObject({
        name: 'TransportError',
        reason: 'unknown',
        method: 'm1',
        cause: { kind: 'messageRefused' },
        advice: 'look for the message by its hash before you sign another',
      })
    }
  })

  test('error: what is refused for another reason after a lost reply is refused', async () => {
    const [answer] = setUp(1, [network, ([one]) => [failure(one?.id, 'notFound')]]).answers
    await expect(answer).rejects.toMatchObject({ name: 'RpcError', kind: 'notFound' })
  })

  test('error: a message refused after a try that was not run is refused', async () => {
    const busy: Step = ([one]) => [failure(one?.id, 'busy')]
    const [answer] = setUp(1, [busy, ([one]) => [failure(one?.id, 'messageRefused')]]).answers
    await expect(answer).rejects.toMatchObject({ name: 'RpcError', kind: 'messageRefused' })
  })

  test('behavior: a wait beyond the total ends it at once, for that call only', async () => {
    const { answers, sent } = setUp(2, [
      () => [failure(1, 'rateLimited', { retryAfter: 3600 }), failure(2, 'rateLimited')],
    ])
    await expect(answers[0]).rejects.toMatchObject({ kind: 'rateLimited', data: { retryAfter: 3600 } })
    await expect(answers[1]).resolves.toBe(2)
    expect(sent).toEqual([[1, 2], [2]])
  })

  test('behavior: a call is not held by the longer wait of another one in its message', async () => {
    const limited: Step = ([one, two]) => [failure(one?.id, 'rateLimited', { retryAfter: 2 }), failure(two?.id, 'busy')]
    const { answers, sent, leave } = setUp(2, [limited])
    await expect(answers[1]).resolves.toBe(2)
    leave(0)
    expect(sent).toEqual([[1, 2], [2]])
  })

  test('behavior: waits count together: none is begun that would pass the total', async () => {
    const busy: Step = ([one]) => [failure(one?.id, 'busy', { retryAfter: 0.02 })]
    const retry = { tries: 9, baseMs: 0, capMs: 0, maxWaitMs: 50 }
    const { answers, sent } = setUp(1, Array(9).fill(busy), { retry })
    await expect(answers[0]).rejects.toMatchObject({ kind: 'busy' })
    expect(sent).toHaveLength(3)
  })

  test('behavior: nothing is sent for those who left while waiting', async () => {
    const { answers, sent, leave, onSetback } = setUp(2, [() => [failure(1, 'busy'), failure(2, 'busy')]])
    onSetback.mockImplementation(() => leave(0))
    await expect(answers[1]).resolves.toBe(2)
    expect(sent).toEqual([[1, 2], [2]])
  })
})

describe('too large', () => {
  test('default: goes on in groups of the limit that was named, which is passed on', async () => {
    const { answers, sent, limits } = setUp(25, [() => [failure(null, 'batchTooLarge', { limit: 10 })]], {
      retry: NO_RETRY,
    })
    expect(await Promise.all(answers)).toHaveLength(25)
    expect(sent.map((ids) => ids.length)).toEqual([25, 10, 10, 5])
    expect(new Set(limits)).toEqual(new Set([10]))
  })

  test('behavior: halves when no usable limit is named', async () => {
    for (const data of [{}, { limit: 0 }, { limit: 5 }, { limit: 1000 }, { limit: 'ten' }]) {
      const { answers, sent } = setUp(5, [() => [failure(null, 'batchTooLarge', data)]])
      await Promise.all(answers)
      expect(sent.map((ids) => ids.length)).toEqual([5, 3, 2])
    }
  })

  test('behavior: also for a body too large, and for a proxy that says so', async () => {
    const proxy: Step = () => {
      throw new TransportError({ reason: 'status', text: 'x', status: 413 })
    }
    for (const step of [proxy, () => [failure(null, 'bodyTooLarge', { limit: 1048576 })]]) {
      const { answers, sent, limits } = setUp(4, [step])
      await Promise.all(answers)
      expect(sent.map((ids) => ids.length)).toEqual([4, 2, 2])
      expect(limits).toEqual([])
    }
  })

  test('behavior: calls that did not fit the reply to their batch are sent again in smaller ones', async () => {
    const data = { reason: 'batch', limit: 10_485_760 }
    const rest = (from: number) => [6, 7, 8].filter((id) => id >= from).map((id) => failure(id, 'replyTooLarge', data))
    const first = () => [...[1, 2, 3, 4, 5].map((id) => ({ id, result: id })), ...rest(6)]
    const { answers, sent, limits } = setUp(8, [first, () => [{ id: 6, result: 6 }, ...rest(7)]], { retry: NO_RETRY })
    expect(await Promise.all(answers)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
    expect(sent).toEqual([
      [1, 2, 3, 4, 5, 6, 7, 8],
      [6, 7, 8],
      [7, 8],
    ])
    expect(limits).toEqual([])
  })

  test('error: of a call that changes something each time it is unknown whether it ran: it is not sent again', async () => {
    const reply = () => [1, 2].map((id) => failure(id, 'replyTooLarge', { reason: 'batch', limit: 5 }))
    const { answers, sent } = setUp(2, [reply], { retry: NO_RETRY, once: true })
    for (const answer of answers) await expect(answer).rejects.toMatchObject({ kind: 'replyTooLarge' })
    expect(sent).toEqual([[1, 2]])
  })

  test('error: a reply too large for its call alone is not requested again', async () => {
    const { answers, sent } = setUp(2, [() => [failure(1, 'replyTooLarge', { limit: 5 }), { id: 2, result: 2 }]])
    await expect(answers[0]).rejects.toMatchObject({ kind: 'replyTooLarge' })
    expect(sent).toEqual([[1, 2]])
  })

  test('error: one call that is too large by itself', async () => {
    const { answers } = setUp(1, [() => [failure(null, 'bodyTooLarge')]])
    await expect(answers[0]).rejects.toMatchObject({ kind: 'bodyTooLarge' })
  })
})

describe('abandon', () => {
  test('default: the message is dropped when no caller waits for any of its calls', async () => {
    let seen: AbortSignal | undefined
    const hang: Step = (_, signal) => {
      seen = signal
      return new Promise(() => {})
    }
    const { leave } = setUp(2, [hang])
    leave(0)
    leave(0)
    expect(seen?.aborted).toBe(false)
    leave(1)
    expect(seen?.aborted).toBe(true)
  })
})
