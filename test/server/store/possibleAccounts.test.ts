import { expect, test } from 'vitest'
import { possibleAccounts } from '../../../server/store/read/possibleAccounts.ts'

const WHOLE = -(2n ** 63n)
const LOWER_HALF = 1n << 62n
const account = (first: number, fill: number): Uint8Array => new Uint8Array(33).fill(fill).fill(first, 0, 1)

test('an account of the masterchain is in no part of a workchain, whatever its address', () => {
  const ofMaster = account(0x7f, 0x33)
  const ofBase = account(0x80, 0x33)
  expect(possibleAccounts([ofMaster, ofBase], { shard: WHOLE })).toEqual([ofMaster, ofBase])
  expect(possibleAccounts([ofMaster, ofBase], { shard: LOWER_HALF })).toEqual([ofBase])
  expect(possibleAccounts([ofBase], { shard: LOWER_HALF | WHOLE })).toEqual([])
})
