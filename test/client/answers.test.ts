import { describe, expect, test } from 'vitest'
import { isTooLarge, mayHaveRun, namedLimit, readAnswers } from '../../client/answers.ts'
import { isRpcError, RpcError, TransportError } from '../../client/rpcErrors.ts'
import { failure, success } from './stubService.ts'

const request = (id: number) => ({ jsonrpc: '2.0', id, method: `m${id}`, params: {} }) as const

describe('readAnswers', () => {
  test('default: by id, whatever the order', () => {
    const outcomeOf = readAnswers([success(2, 'two'), failure(3, 'notFound'), success(1, null)])
    expect(outcomeOf(request(1))).toEqual({ result: null })
    expect(outcomeOf(request(2))).toEqual({ result: 'two' })
    expect(outcomeOf(request(3))).toMatchObject({ failure: { kind: 'notFound', method: 'm3', code: -32010 } })
  })

  test('behavior: a missing answer fails its own call only', () => {
    const outcomeOf = readAnswers([success(1, 'one')])
    expect(outcomeOf(request(1))).toEqual({ result: 'one' })
    expect(outcomeOf(request(2))).toMatchObject({ failure: { reason: 'reply', method: 'm2' } })
  })

  test('behavior: the first of several answers counts, unknown and huge ids are ignored', () => {
    const outcomeOf = readAnswers([
      success(1e308, 'huge'),
      success('1', 'text'),
      success(1, 'first'),
      success(1, 'second'),
      success(null, 'no id'),
    ])
    expect(outcomeOf(request(1))).toEqual({ result: 'first' })
  })

  test('behavior: an error whose members are of any type is one of its own call', () => {
    const odd = { toString: 1, valueOf: 1 }
    const data = { retryAfter: odd, limit: odd, requestId: odd, nearest: [odd], advice: odd, docs: odd, __proto__: odd }
    const outcomeOf = readAnswers([{ id: 1, error: { code: odd, message: odd, data } }, success(2, 'two')])
    const outcome = outcomeOf(request(1))
    expect(outcome).toMatchObject({ failure: { method: 'm1', code: 0, docs: '/api/v2/#errors', data: {} } })
    expect('failure' in outcome && isRpcError(outcome.failure)).toBe(true)
    expect(outcomeOf(request(2))).toEqual({ result: 'two' })
  })

  test('behavior: one error without id is for all', () => {
    const outcomeOf = readAnswers([{ ...failure(null, 'unauthorized'), status: 401 }])
    for (const id of [1, 2]) {
      expect(outcomeOf(request(id))).toMatchObject({ failure: { kind: 'unauthorized', status: 401, method: `m${id}` } })
    }
  })

  test('behavior: among answers, an error without id is ignored', () => {
    const outcomeOf = readAnswers([failure(null, 'invalidRequest'), success(1, 'one')])
    expect(outcomeOf(request(2))).toMatchObject({ failure: { reason: 'reply' } })
  })

  test('behavior: the wait of the data goes before that of the header', () => {
    const waitOf = (data: object, header: number) => {
      const outcome = readAnswers([{ ...failure(1, 'rateLimited', data), retryAfter: header }])(request(1))
      return 'failure' in outcome && outcome.failure instanceof RpcError && outcome.failure.data.retryAfter
    }
    expect(waitOf({ retryAfter: 2 }, 9)).toBe(2)
    expect(waitOf({}, 9)).toBe(9)
    expect(waitOf({ retryAfter: 'soon' }, 9)).toBe(9)
  })

  test('error: answers that are none', () => {
    const said = (reply: object) => readAnswers([{ id: 1, ...reply }])(request(1))
    for (const reply of [{}, { error: 'text' }, { error: null }, { error: ['x'] }]) {
      expect(said(reply)).toMatchObject({ failure: { reason: 'reply' } })
    }
    expect(said({ error: {} })).toMatchObject({ failure: { code: 0, kind: 'unknown' } })
    expect(said({ error: { code: 'x', message: { a: 1 }, data: 'text' } })).toMatchObject({ failure: { code: 0 } })
    expect(said({ error: null, result: 1 })).toEqual({ result: 1 })
  })
})

test('isTooLarge and namedLimit', () => {
  const rpc = (kind: string, limit: unknown, reason?: 'batch') =>
    new RpcError({ method: 'm', code: -32600, text: 't', kind, data: { limit, reason } as { limit: number } })
  expect(isTooLarge(rpc('batchTooLarge', 10))).toBe(true)
  expect(isTooLarge(rpc('bodyTooLarge', 10))).toBe(true)
  expect(isTooLarge(rpc('rateLimited', 10))).toBe(false)
  const ofBatch = rpc('replyTooLarge', 10, 'batch')
  expect([isTooLarge(ofBatch), mayHaveRun(ofBatch)]).toEqual([true, true])
  // Of a single call it would be the same alone.
  expect(isTooLarge(rpc('replyTooLarge', 10))).toBe(false)
  expect(isTooLarge(new TransportError({ reason: 'status', text: 't', status: 413 }))).toBe(true)
  expect(namedLimit(rpc('batchTooLarge', 10))).toBe(10)
  for (const limit of [0, -1, 1.5, '10', undefined]) expect(namedLimit(rpc('batchTooLarge', limit))).toBeUndefined()
  // In bytes, not in calls.
  expect(namedLimit(rpc('bodyTooLarge', 10))).toBeUndefined()
})
