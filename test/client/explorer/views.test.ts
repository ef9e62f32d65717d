import { describe, expect, test } from 'vitest'
import { queryKey } from '../../../shared/explorer/explorerQuery.ts'
import { viewOf } from '../../../shared/explorer/views.ts'

const FRIENDLY = 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N'
const RAW = '0:83DFD552E63729B472FCBCC8C45EBCC6691702558B68EC7527E1BA403A0F31A8'
const HEX = 'ab'.repeat(32)

describe('paths', () => {
  test.each([
    ['/', 'home', '/'],
    ['/explorer', 'home', '/'],
    [`/address/${FRIENDLY}`, 'account', `/address/${FRIENDLY}`],
    [`/account/${FRIENDLY}/`, 'account', `/address/${FRIENDLY}`],
    [`/${FRIENDLY}`, 'account', `/address/${FRIENDLY}`],
    [`/tx/${HEX}`, 'transaction', `/tx/${HEX}`],
    [`/explorer/tx/${HEX}`, 'transaction', `/tx/${HEX}`],
    [`/trace/${HEX}`, 'trace', `/trace/${HEX}`],
    ['/block/12', 'block', '/block/12'],
    ['/block/-1:8000000000000000:12', 'block', '/block/-1:8000000000000000:12'],
    ['/search', 'search', '/search'],
  ])('%s', (path, page, known) => {
    expect(viewOf(path, 'devnet')).toMatchObject({ page, path: known })
  })

  test.each(['/nothing', '/address', '/address/', '/address/a/b', '/assets/x.js', '/api/v2/x', '/%E0%A4%A'])(
    '%s is none',
    (path) => expect(viewOf(path, 'devnet')).toBeNull(),
  )
})

describe('queries', () => {
  test('of an account use its raw address, whatever form the path has', () => {
    const keys = (path: string) => viewOf(path, 'mainnet')?.queries.map(queryKey)
    expect(keys(`/address/${FRIENDLY}`)).toEqual(keys(`/address/${RAW}`))
    expect(keys(`/address/${FRIENDLY}`)?.every((key) => key.includes(RAW))).toBe(true)
  })

  test('of a wrong subject are none, and the page says what is wrong', () => {
    for (const path of ['/address/nonsense', '/tx/12', '/block/x'])
      expect(viewOf(path, 'devnet')?.queries, path).toEqual([])
  })
})
