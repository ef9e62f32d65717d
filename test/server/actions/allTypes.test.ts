// Every type of action that the public interface has is made here: on a stored trace, or in a flow made by hand.

import { expect, test } from 'vitest'
import { classifyTrace, supportedTypes } from '../../../server/actions/index.ts'
import { traceOfFile } from '../../../server/cli/classify/file.ts'
import { allBases } from './made/stored.ts'
import { fileOf } from './made/tree.ts'

/** Of which no trace is stored, by the test that has them. */
const MADE_BY_HAND: Readonly<Record<string, readonly string[]>> = {
  'unrecorded.test.ts': [
    'cocoon_client_change_secret_hash',
    'cocoon_client_register',
    'cocoon_grant_refund',
    'coffee_mev_protect_failed_swap',
    'coffee_mev_protect_hold_funds',
    'evaa_liquidate',
    'layerzero_send_tokens',
    'tgbtc_mint_fallback',
    'tgbtc_new_key_fallback',
  ],
  'dedustV2.test.ts': ['dedust_v2_claim_fees', 'dedust_v2_claim_reward'],
  // Those stored have no facts by which they are known.
  'saleActions.test.ts': ['dns_purchase', 'dns_release'],
  'systemActions.test.ts': ['change_wallet_key', 'gasless_request'],
  'engine.test.ts': ['tick_tock'],
}

test('no type of the public versions is missing, and none of the families beside it', () => {
  const made = new Set(Object.values(MADE_BY_HAND).flat())
  for (const { tree } of allBases()) {
    const { trace, facts } = traceOfFile(fileOf(tree))
    for (const { type } of classifyTrace(trace, facts).actions) made.add(type)
  }
  const wanted = [...supportedTypes(['v5', 'tgbtc'])]
  expect(wanted).toHaveLength(86)
  expect(wanted.filter((type) => !made.has(type))).toEqual([])
})
