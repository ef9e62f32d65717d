import { z } from 'zod'
import { method } from '../../method.ts'
import { cursorPage, NextCursor } from '../../page.ts'
import { AccountList } from '../filters.ts'
import { AddressBook, sideExample } from '../sideObjects.ts'
import { Digits, RawAddress, readsV3 } from '../values.ts'
import { tokens } from './parts.ts'

const VestingContract = z
  .object({
    address: RawAddress,
    start_time: z.int(),
    total_duration: z.int(),
    unlock_period: z.int(),
    cliff_duration: z.int(),
    sender_address: RawAddress,
    owner_address: RawAddress,
    total_amount: Digits,
    whitelist: z.array(RawAddress).meta({ description: 'Where locked coins may go.' }),
  })
  .meta({ id: 'VestingContract' })

const { OTHER, OWNER, SALE: VESTING } = tokens

export const vesting = {
  'v3.vesting': method({
    summary: 'Wallets whose coins are set free bit by bit, by address.',
    group: 'vesting',
    params: z.strictObject({
      contract_address: AccountList.optional(),
      wallet_address: AccountList.optional().meta({ description: 'Who sent the coins, or is to have them.' }),
      check_whitelist: z.boolean().default(false).meta({ description: 'Or is where locked coins may go.' }),
      ...cursorPage(),
    }),
    result: z
      .object({ vesting_contracts: z.array(VestingContract), address_book: AddressBook, cursor: NextCursor })
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
            whitelist: ['-1:3333333333333333333333333333333333333333333333333333333333333333'],
          },
        ],
        address_book: sideExample.address_book,
        cursor: null,
      },
    },
  }),
}
