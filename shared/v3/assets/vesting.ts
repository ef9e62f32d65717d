import { z } from 'zod'
import { exampleValues } from '../../exampleValues.ts'
import { method } from '../../method.ts'
import { cursorPage } from '../../page.ts'
import { AccountList } from '../filters.ts'
import { bookPageFields, sideExample } from '../sideObjects.ts'
import { Digits, RawAddress, readsV3 } from '../values.ts'
import { tokenExamples } from './parts.ts'

const VestingContract = z
  .object({
    address: RawAddress.describe('Vesting contract.'),
    start_time: z.int().describe('Unix seconds of the start.'),
    total_duration: z.int().describe('Seconds until everything is unlocked.'),
    unlock_period: z.int().describe('Seconds between two unlocks.'),
    cliff_duration: z.int().describe('Seconds until the first unlock.'),
    sender_address: RawAddress.describe('Account that funded it.'),
    owner_address: RawAddress.describe('Beneficiary.'),
    total_amount: Digits.describe('Amount locked at the start, in nanotons.'),
    whitelist: z.array(RawAddress).describe('Accounts that may receive locked TON.'),
  })
  .meta({ id: 'VestingContract' })

const { OTHER, OWNER, SALE: VESTING } = tokenExamples

export const vestingV3 = {
  'v3.vesting': method({
    summary: 'Vesting contracts, which unlock TON bit by bit, by address.',
    description:
      'Exactly one of `contract_address` and `wallet_address` is required. The amount unlocked now follows from the times and `total_amount`.',
    group: 'vesting',
    params: z.strictObject({
      contract_address: AccountList.optional().describe('Only these contracts.'),
      wallet_address: AccountList.optional().describe('Only contracts funded by or owned by these accounts.'),
      check_whitelist: z
        .boolean()
        .default(false)
        .describe('With `wallet_address`: include contracts that have them on the whitelist.'),
      ...cursorPage(),
    }),
    result: z
      .object({
        vesting_contracts: z.array(VestingContract).describe('Contracts of this page.'),
        ...bookPageFields,
      })
      .meta({ id: 'VestingContractsResponse' }),
    rest: readsV3('vesting'),
    freshness: 'index',
    emptyIsAbsent: true,
    paged: true,
    example: {
      params: { wallet_address: [OWNER] },
      result: {
        vesting_contracts: [
          {
            address: VESTING,
            start_time: 1696000000,
            total_duration: 126144000,
            unlock_period: 2628000,
            cliff_duration: 31536000,
            sender_address: OTHER,
            owner_address: OWNER,
            total_amount: '1000000000000',
            whitelist: [exampleValues.ELECTOR],
          },
        ],
        address_book: sideExample.address_book,
        cursor: null,
      },
    },
  }),
}
