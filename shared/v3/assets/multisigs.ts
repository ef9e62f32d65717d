import { z } from 'zod'
import { method } from '../../method.ts'
import { cursorPage, NextCursor, Sort } from '../../page.ts'
import { AccountList } from '../filters.ts'
import { AddressBook, sideExample } from '../sideObjects.ts'
import { Base64Hash, Digits, RawAddress, readsV3 } from '../values.ts'
import { contractExample, contractFields, tokens } from './parts.ts'

const group = 'multisig'

const OrderAction = z
  .object({
    destination: RawAddress.nullable(),
    value: Digits.nullable(),
    body_raw: z.string().nullable().meta({ description: 'Base64 of the body of its message.' }),
    parsed: z.boolean(),
    error: z.string().nullable(),
    parsed_body: z.record(z.string(), z.unknown()).nullable(),
    parsed_body_type: z.string(),
    send_mode: z.int().optional(),
  })
  .meta({ id: 'OrderAction' })

const MultisigOrder = z
  .object({
    address: RawAddress,
    multisig_address: RawAddress,
    order_seqno: Digits.nullable(),
    threshold: z.int().nullable(),
    sent_for_execution: z.boolean().nullable(),
    approvals_mask: Digits.nullable().meta({ description: 'Bit i is that of signer i.' }),
    approvals_num: z.int().nullable(),
    expiration_date: z.int().nullable(),
    order_boc: z.string().nullable().meta({ description: 'Base64 of a bag of cells.' }),
    signers: z.array(RawAddress),
    ...contractFields,
    code_hash: Base64Hash.nullable(),
    data_hash: Base64Hash.nullable(),
    actions: z.array(OrderAction).nullable().meta({ description: 'When asked for, and when they can be read.' }),
  })
  .meta({ id: 'MultisigOrder' })

const Multisig = z
  .object({
    address: RawAddress,
    next_order_seqno: Digits.nullable().meta({ description: '-1 when orders may have any number.' }),
    threshold: z.int().nullable(),
    signers: z.array(RawAddress),
    proposers: z.array(RawAddress),
    ...contractFields,
    orders: z.array(MultisigOrder),
  })
  .meta({ id: 'Multisig' })

const { OTHER, OWNER, SALE: MULTISIG, ITEM: ORDER } = tokens

const order: z.input<typeof MultisigOrder> = {
  address: ORDER,
  multisig_address: MULTISIG,
  order_seqno: '0',
  threshold: 2,
  sent_for_execution: false,
  approvals_mask: '1',
  approvals_num: 1,
  expiration_date: 1754258183,
  order_boc: 'te6ccgEBAQEAAgAAAA==',
  signers: [OWNER, OTHER],
  ...contractExample,
  actions: null,
}

export const multisigs = {
  'v3.multisig.wallets': method({
    summary: 'Wallets of several owners with their orders, those that did something last first.',
    group,
    params: z.strictObject({
      address: AccountList.optional(),
      wallet_address: AccountList.optional().meta({ description: 'Who may sign or propose.' }),
      include_orders: z.boolean().default(true),
      ...cursorPage(),
      sort: Sort,
    }),
    result: z
      .object({ multisigs: z.array(Multisig), address_book: AddressBook, cursor: NextCursor })
      .meta({ id: 'MultisigResponse' }),
    rest: readsV3('multisig/wallets'),
    freshness: 'index',
    emptyIsAbsent: true,
    paged: true,
    example: {
      params: { address: [MULTISIG] },
      result: {
        multisigs: [
          {
            address: MULTISIG,
            next_order_seqno: '1',
            threshold: 2,
            signers: [OWNER, OTHER],
            proposers: [],
            ...contractExample,
            orders: [order],
          },
        ],
        address_book: sideExample.address_book,
        cursor: null,
      },
    },
  }),

  'v3.multisig.orders': method({
    summary: 'What the owners of such wallets decide on, those that were touched last first.',
    group,
    params: z.strictObject({
      address: AccountList.optional(),
      multisig_address: AccountList.optional(),
      parse_actions: z.boolean().default(false),
      ...cursorPage(),
      sort: Sort,
    }),
    result: z
      .object({ orders: z.array(MultisigOrder), address_book: AddressBook, cursor: NextCursor })
      .meta({ id: 'MultisigOrderResponse' }),
    rest: readsV3('multisig/orders'),
    freshness: 'index',
    emptyIsAbsent: true,
    paged: true,
    example: {
      params: { multisig_address: [MULTISIG], parse_actions: true },
      result: {
        orders: [
          {
            ...order,
            actions: [
              {
                destination: OTHER,
                value: '1000000000',
                body_raw: 'te6cckEBAQEACAAADAAAAAAxMb6Vqnw=',
                parsed: true,
                error: null,
                parsed_body: { comment: '11', encrypted: false },
                parsed_body_type: 'ton_transfer',
                send_mode: 3,
              },
            ],
          },
        ],
        address_book: sideExample.address_book,
        cursor: null,
      },
    },
  }),
}
