import { z } from 'zod'
import { exampleValues } from '../../exampleValues.ts'
import { method } from '../../method.ts'
import { cursorPage, Sort } from '../../page.ts'
import { AccountList } from '../filters.ts'
import { bookPageFields, sideExample } from '../sideObjects.ts'
import { Base64Hash, Digits, RawAddress, readsV3 } from '../values.ts'
import { contractExample, contractFields, tokenExamples } from './parts.ts'

const group = 'multisig'

const OrderAction = z
  .object({
    destination: RawAddress.nullable().describe('Recipient; null for other actions.'),
    value: Digits.nullable().describe('Amount in nanotons; null for other actions.'),
    body_raw: z.string().nullable().describe('Message body, base64 BoC; null for none.'),
    parsed: z.boolean().describe('True when the body was decoded.'),
    error: z.string().nullable().describe('Why it was not decoded, else null.'),
    parsed_body: z.record(z.string(), z.unknown()).nullable().describe('Decoded body; null when unknown.'),
    parsed_body_type: z.string().describe('Kind of the decoded body; empty when unknown.'),
    send_mode: z.int().describe('Mode flags of the message; 0 for other actions.'),
  })
  .meta({ id: 'OrderAction' })

const MultisigOrder = z
  .object({
    address: RawAddress.describe('Order contract.'),
    multisig_address: RawAddress.describe('Multisig wallet of the order.'),
    order_seqno: Digits.nullable().describe('Number of the order; null when unreadable.'),
    threshold: z.int().nullable().describe('Approvals needed; null when unreadable.'),
    sent_for_execution: z.boolean().nullable().describe('True when it was executed; null when unreadable.'),
    approvals_mask: Digits.nullable().describe('Bit i is set when signer i approved.'),
    approvals_num: z.int().nullable().describe('Approvals so far; null when unreadable.'),
    expiration_date: z.int().nullable().describe('Unix seconds of expiry; null when unreadable.'),
    order_boc: z.string().nullable().describe('Actions of the order, base64 BoC; null when unreadable.'),
    signers: z.array(RawAddress).describe('Accounts that may approve.'),
    ...contractFields,
    code_hash: Base64Hash.nullable().describe('Hash of the code cell; null when unknown.'),
    data_hash: Base64Hash.nullable().describe('Hash of the data cell; null when unknown.'),
    actions: z
      .array(OrderAction)
      .nullable()
      .describe('Decoded actions; only with `parse_actions`, null when unreadable.'),
  })
  .meta({ id: 'MultisigOrder' })

const Multisig = z
  .object({
    address: RawAddress.describe('Multisig wallet contract.'),
    next_order_seqno: Digits.nullable().describe('Number of the next order; -1 when orders may have any number.'),
    threshold: z.int().nullable().describe('Approvals needed; null when unreadable.'),
    signers: z.array(RawAddress).describe('Accounts that may approve orders.'),
    proposers: z.array(RawAddress).describe('Accounts that may only create orders.'),
    ...contractFields,
    orders: z
      .array(MultisigOrder)
      .describe('Its orders by their seqnos, the lowest first; empty with `include_orders=false`.'),
  })
  .meta({ id: 'Multisig' })

const { OTHER, OWNER, SALE: MULTISIG, ITEM: ORDER } = tokenExamples

const order: z.input<typeof MultisigOrder> = {
  address: ORDER,
  multisig_address: MULTISIG,
  order_seqno: '0',
  threshold: 2,
  sent_for_execution: false,
  approvals_mask: '1',
  approvals_num: 1,
  expiration_date: 1754258183,
  order_boc: exampleValues.CELL_WITHOUT_CHECKSUM,
  signers: [OWNER, OTHER],
  ...contractExample,
  actions: null,
}

export const multisigsV3 = {
  'v3.multisig.wallets': method({
    summary: 'Multisig wallets with their orders, the last active first.',
    description:
      'Requires `address` or `wallet_address` (a signer or proposer). With `include_orders` one reply holds at most 10,000 orders; v3.multisig.orders pages them.',
    group,
    params: z.strictObject({
      address: AccountList.optional().describe('Only these wallets.'),
      wallet_address: AccountList.optional().describe('Only wallets with one of these signers or proposers.'),
      include_orders: z.boolean().default(true).describe('Include the orders of each wallet.'),
      ...cursorPage(),
      sort: Sort,
    }),
    result: z
      .object({
        multisigs: z.array(Multisig).describe('Wallets of this page.'),
        ...bookPageFields,
      })
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
    summary: 'Orders of multisig wallets, the last active first.',
    description:
      'Requires `address` or `multisig_address`. With `parse_actions` the bodies of each order are decoded, which makes replies large.',
    group,
    params: z.strictObject({
      address: AccountList.optional().describe('Only these orders.'),
      multisig_address: AccountList.optional().describe('Only orders of these wallets.'),
      parse_actions: z.boolean().default(false).describe('Decode the actions of each order.'),
      ...cursorPage(),
      sort: Sort,
    }),
    result: z
      .object({
        orders: z.array(MultisigOrder).describe('Orders of this page.'),
        ...bookPageFields,
      })
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
