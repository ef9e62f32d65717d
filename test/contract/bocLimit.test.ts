// The longest bag of cells a request may have is the same for every parameter that takes one.

import { expect, test } from 'vitest'
import { post } from '../setup/calls.ts'
import { forAllTests, serve } from '../setup/service.ts'

const service = forAllTests(() => serve({ withIndex: true, config: { mining: 'manual' } }))

const ACCOUNT = `0:${'ab'.repeat(32)}`
const CELL = 'te6cckEBAQEAAgAAAEysuc0='
/** 256 KiB of zeros, which are no bag of cells. */
const LONGEST = Buffer.alloc(256 * 1024).toString('base64')
const LONGER = `${LONGEST.replaceAll('=', 'A')}A`

const OVER = /over 349528 (?:base64 characters|characters of base64)/
const TOO_LARGE = /external message too large, must be at most 65535 bytes, not 262144/

test.each<[string, string, (boc: string) => object, RegExp]>([
  ['a message', '/api/v2/sendBoc', (boc) => ({ boc }), TOO_LARGE],
  [
    'code',
    '/api/v2/estimateFee',
    (init_code) => ({ address: ACCOUNT, body: CELL, init_code }),
    /INVALID_BAG_OF_CELLS: init_code/,
  ],
  ['a message to emulate', '/api/emulate/v1/emulateTrace', (boc) => ({ boc }), /invalid boc: (?!over)/],
])('%s of 256 KiB is read, one character more is refused', async (_, path, params, next) => {
  expect([LONGEST.length, LONGER.length]).toEqual([349_528, 349_529])
  const longest = await post(service(), path, params(LONGEST))
  expect(longest.body.error).toMatch(next)
  expect(longest.body.error).not.toMatch(OVER)
  const longer = await post(service(), path, params(LONGER))
  expect(longer.body.error).toMatch(OVER)
  expect([400, 422]).toContain(longer.status)
})
