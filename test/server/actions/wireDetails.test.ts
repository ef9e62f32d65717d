// Details that the public service leaves out or has as null, where these traces would allow more to be said.

import { expect, test } from 'vitest'
import { type ClassifiedAction, classifyTrace } from '../../../server/actions/index.ts'
import { readTraceFixture } from './traceFixtures.ts'

function detailsOf(name: string, type: string): ClassifiedAction['details'] {
  const { trace, facts } = readTraceFixture(name)
  const found = classifyTrace(trace, facts).actions.find((action) => action.type === type)
  if (found === undefined) throw new Error(`no ${type} in ${name}`)
  return found.details
}

test('a claim of fees has its own fields only, not those of a withdrawal', () => {
  expect(Object.keys(detailsOf('dedust-v2-05', 'dedust_v2_claim_fees')).sort()).toEqual([
    ...['amount_1', 'amount_2', 'asset_1', 'asset_2', 'dex', 'dex_jetton_wallet_1', 'dex_jetton_wallet_2', 'pool'],
    ...['position', 'source', 'user_jetton_wallet_1', 'user_jetton_wallet_2'],
  ])
})

test('a stake with JVault has an exit code only where its request led to nothing', () => {
  expect(detailsOf('jvault-06', 'jvault_unstake_request').exit_code).toBeNull()
  expect(detailsOf('jvault-07', 'jvault_unstake').exit_code).toBeNull()
  expect(detailsOf('jvault-10', 'jvault_unstake_request').exit_code).toBe(46)
  expect(detailsOf('jvault-11', 'jvault_unstake').exit_code).toBe(56)
})

test('flags of a comment are null where there is no payout that has one', () => {
  expect(detailsOf('nft-01', 'nft_transfer')).toMatchObject({
    payout_comment: null,
    payout_comment_encrypted: null,
    payout_comment_encoded: null,
  })
  expect(detailsOf('nft-01', 'nft_purchase')).toMatchObject({
    payout_comment_encrypted: false,
    payout_comment_encoded: false,
  })
})
