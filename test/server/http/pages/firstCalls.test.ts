import { describe, expect, test } from 'vitest'
import { firstCalls, type ResultOf } from '../../../../server/http/pages/firstCalls.ts'
import { queryKey } from '../../../../shared/explorer/explorerQuery.ts'
import { viewOf } from '../../../../shared/explorer/views.ts'

const FRIENDLY = 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N'
const RAW = '0:83DFD552E63729B472FCBCC8C45EBCC6691702558B68EC7527E1BA403A0F31A8'

const callsOf = (at: string) => {
  const { pathname, searchParams } = new URL(at, 'http://localhost')
  const view = viewOf(pathname, 'devnet')
  if (view === null) throw new Error(`no page at ${at}`)
  return firstCalls(view, searchParams)
}
const keysOf = (at: string) => (callsOf(at).queries ?? []).map(queryKey)
const methodsOf = (at: string) => (callsOf(at).queries ?? []).map(({ method }) => method)

describe('the first calls of a page', () => {
  test('of an account use its raw address, whatever form the path has', () => {
    expect(keysOf(`/address/${FRIENDLY}`)).toEqual(keysOf(`/address/${RAW}`))
    expect(keysOf(`/address/${FRIENDLY}`).every((key) => key.includes(RAW))).toBe(true)
  })

  test('of an account are those of the tab that is open', () => {
    expect(methodsOf(`/address/${RAW}`)).toEqual(['v3.accountStates', 'v3.traces', 'v3.pendingActions'])
    expect(methodsOf(`/address/${RAW}?tab=tokens`)).toEqual(['v3.accountStates', 'v3.jetton.wallets'])
    expect(methodsOf(`/address/${RAW}?tab=toString`)).toEqual(['v3.accountStates'])
  })

  test('of a wrong subject are what comes nearest, and the page says what is wrong', () => {
    expect(keysOf('/address/nonsense')).toEqual(['v3.search {"query":"nonsense","limit":5}'])
    expect(keysOf('/tx/12')).toEqual(['v3.search {"query":"12","limit":5}'])
    for (const at of ['/block/x', '/search', '/search?q=+', '/cell?boc=te6']) expect(keysOf(at), at).toEqual([])
    expect(keysOf(`/search?q=${'x'.repeat(300)}`)).toEqual([])
  })

  test('of a hash that is nowhere are a message, and what comes nearest', () => {
    const hash = 'ab'.repeat(32)
    const nothing = (() => ({ traces: [] })) as unknown as ResultOf
    const found = callsOf(`/tx/${hash}`)
    expect(found.isMissing?.(nothing)).toBe(true)
    expect(found.next?.(nothing).map(({ method }) => method)).toEqual([
      'v3.traces',
      'v3.transactions',
      'v3.pendingTraces',
      'v3.search',
    ])
    const late = (() => undefined) as ResultOf
    expect(found.isMissing?.(late)).toBe(false)
    expect(found.next?.(late)).toEqual([])
  })

  test('that need results of others come behind them, and are none without', () => {
    const results: Readonly<Record<string, unknown>> = {
      'v3.blocks': { blocks: [{ seqno: 7, gen_utime: '1700000000' }] },
      'v3.actions': {
        actions: [
          { success: true, transactions: ['A'] },
          { success: false, transactions: ['C', 'B'] },
        ],
      },
    }
    const resultOf = (({ method }) => results[method]) as ResultOf
    const next = (at: string, of: ResultOf) =>
      callsOf(at)
        .next?.(of)
        .map(({ method, params }) => [method, params])
    expect(next('/block/7', resultOf)).toEqual([
      ['getMasterchainBlockSignatures', { seqno: 7 }],
      ['v3.validators.cycles', { end_utime: 1_700_000_000, return_validators: true, limit: 1 }],
    ])
    expect(next('/', resultOf)).toEqual([['v3.transactions', { hash: ['B', 'C'], limit: 100 }]])
    for (const at of ['/', '/block/7', '/wallets'])
      expect(
        next(at, () => undefined),
        at,
      ).toEqual([])
  })
})
