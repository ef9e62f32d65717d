import { describe, expect, test } from 'vitest'
import { addressIn } from '../../../shared/explorer/addressIn.ts'
import { parseBlockPlace, viewOf } from '../../../shared/explorer/views.ts'

const FRIENDLY = 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N'
const HEX = 'ab'.repeat(32)
const OTHER = `${'8d2fbf'.repeat(10)}abcd`
const BASE64 = Buffer.from(OTHER, 'hex').toString('base64')
const BASE64URL = Buffer.from(OTHER, 'hex').toString('base64url')
const SLASHED = 'EQD//////////////////////////////////////////0vo'

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
    [`/tx/0x${HEX.toUpperCase()}`, 'transaction', `/tx/${HEX}`],
    [`/trace/${BASE64}`, 'trace', `/trace/${OTHER}`],
    [`/transaction/${encodeURIComponent(BASE64)}`, 'transaction', `/tx/${OTHER}`],
    [`/tx/${BASE64URL}`, 'transaction', `/tx/${OTHER}`],
    [`/address/${SLASHED}`, 'account', `/address/${SLASHED}`],
    [`/address/%20${FRIENDLY}%0A`, 'account', `/address/${FRIENDLY}`],
    [`/${FRIENDLY}%20`, 'account', `/address/${FRIENDLY}`],
    [`/tx/${HEX}%20`, 'transaction', `/tx/${HEX}`],
    ['/block/12', 'block', '/block/12'],
    [`/Address/${FRIENDLY}`, 'account', `/address/${FRIENDLY}`],
    [`/Explorer/TX/${HEX}`, 'transaction', `/tx/${HEX}`],
    ['/Console/v3.transactionsByMessage', 'call', '/console/v3.transactionsByMessage'],
    ['/Status', 'status', '/status'],
    ['/block/-1:8000000000000000:12', 'block', '/block/-1:8000000000000000:12'],
    ['/search', 'search', '/search'],
  ])('%s', (path, page, known) => {
    expect(viewOf(path, 'devnet')).toMatchObject({ page, path: known })
  })

  test.each([
    ['12', { workchain: -1, shard: '8000000000000000', seqno: 12 }],
    ['0:a000000000000000:12', { workchain: 0, shard: 'A000000000000000', seqno: 12 }],
    ['(0,a000000000000000,12)', { workchain: 0, shard: 'A000000000000000', seqno: 12 }],
    ['5:8000000000000000:12', null],
    ['-12', null],
    ['99999999999', null],
  ])('the block %s', (text, place) => {
    expect(parseBlockPlace(text)).toEqual(place)
  })

  test.each(['/nothing', '/address', '/address/', '/address/a/b', '/assets/x.js', '/api/v2/x', '/%E0%A4%A'])(
    '%s is none',
    (path) => expect(viewOf(path, 'devnet')).toBeNull(),
  )
})

test.each([
  [FRIENDLY, FRIENDLY],
  [`  "${FRIENDLY}",\n`, FRIENDLY],
  [`https://tonviewer.com/${FRIENDLY}?section=nfts`, FRIENDLY],
  [`https://tonscan.org/address/${SLASHED}/tokens`, SLASHED],
  [`${FRIENDLY.slice(0, 30)}\n ${FRIENDLY.slice(30)}`, FRIENDLY],
  [`\u200b${FRIENDLY} is mine`, FRIENDLY],
  [`0:${HEX}`, `0:${HEX}`],
  [`${FRIENDLY}A`, null],
  [`${FRIENDLY.slice(0, -1)}M`, null],
  ['wallet4', null],
])('the address in %j', (text, found) => {
  expect(addressIn(text)).toBe(found)
})
