import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import {
  isRpcError,
  isTimeoutError,
  isTransportError,
  RpcError,
  TimeoutError,
  TransportError,
} from '../../client/rpcErrors.ts'
import { type ErrorKind, errorTable } from '../../shared/errors.ts'

describe('RpcError', () => {
  test('default', () => {
    const error = new RpcError({
      method: 'v3.blocks',
      code: -32603,
      text: 'Internal error',
      kind: 'internal',
      data: { requestId: 'r-1' },
    })
    expect(error).toBeInstanceOf(Error)
    expect(error).toMatchObject({ name: 'RpcError', method: 'v3.blocks', kind: 'internal', requestId: 'r-1' })
    expect(error.message).toBe('v3.blocks: Internal error (internal; request r-1)')
  })

  test('behavior: the message says what to do, in the words of the service', () => {
    const data = { retryAfter: 3, advice: 'Wait.', docs: '/api/v2/#error-rateLimited' }
    const error = new RpcError({ method: 'echo', code: -32005, text: 'Ratelimit exceeded', data })
    expect(error.message).toBe('echo: Ratelimit exceeded (rateLimited; try again after 3 s; Wait.)')
    expect(error).toMatchObject({ advice: 'Wait.', docs: '/api/v2/#error-rateLimited' })
  })

  test('args: without advice', () => {
    const error = new RpcError({ method: 'm', code: -32700, text: 'Parse error' })
    expect(error.message).toBe('m: Parse error (parse)')
    expect([error.advice, error.docs]).toEqual([undefined, '/api/v2/#errors'])
  })

  test('args: a bare code is read back into its kind', () => {
    const kindOf = (code: number) => new RpcError({ method: 'm', code, text: 't' }).kind
    const shared = new Set<ErrorKind>([
      'batchTooLarge',
      'missing',
      'urlTooLong',
      'headersTooLarge',
      'requestTimeout',
      'routeNotFound',
      'verbNotAllowed',
    ])
    for (const kind of Object.keys(errorTable) as ErrorKind[]) {
      if (!shared.has(kind)) expect(kindOf(errorTable[kind].rpc)).toBe(kind)
    }
    expect(kindOf(-1)).toBe('unknown')
  })

  test('args: a kind named as a property that every object has is just a text', () => {
    expect(new RpcError({ method: 'm', code: 1, text: 't', kind: 'constructor' }).kind).toBe('constructor')
  })
})

test('RpcError: names the method that was meant', () => {
  const error = new RpcError({ method: 'packAdress', code: -32601, text: 'no', data: { nearest: 'packAddress' } })
  expect(error.message).toBe('packAdress: no (methodNotFound; did you mean packAddress?)')
})

test('TransportError: one failure as each of its calls sees it', () => {
  const cause = new Error('ECONNRESET')
  const error = new TransportError({ reason: 'network', text: 'no answer', cause, retryAfter: 2, status: 503 })
  expect(error.message).toBe('no answer')
  const own = error.of('echo')
  expect(own.message).toBe('echo: no answer')
  expect(own).toMatchObject({ cause, reason: 'network', method: 'echo', retryAfter: 2, status: 503 })
})

test('TimeoutError: names the time and the last failure', () => {
  expect(new TimeoutError('echo', 50).message).toBe('echo: no answer within 50 ms')
  const error = new TimeoutError('echo', 50, new Error('busy'))
  expect(error.message).toBe('echo: no answer within 50 ms (last try: busy)')
  expect(error.cause).toMatchObject({ message: 'busy' })
})

describe('brands', () => {
  const errors = {
    rpc: new RpcError({ method: 'm', code: 1, text: 't' }),
    transport: new TransportError({ reason: 'reply', text: 't' }),
    timeout: new TimeoutError('m', 1),
  }

  test('default', () => {
    expect(Object.values(errors).map(isRpcError)).toEqual([true, false, false])
    expect(Object.values(errors).map(isTransportError)).toEqual([false, true, false])
    expect(Object.values(errors).map(isTimeoutError)).toEqual([false, false, true])
    for (const other of [null, undefined, 'rpc', {}, new Error('x')]) expect(isRpcError(other)).toBe(false)
  })

  test('behavior: an error of another realm is known', () => {
    const foreign: unknown = runInNewContext("const e = new Error('x'); e[Symbol.for('tonrpc.error')] = 'rpc'; e")
    expect(foreign).not.toBeInstanceOf(Error)
    expect(isRpcError(foreign)).toBe(true)
  })
})
