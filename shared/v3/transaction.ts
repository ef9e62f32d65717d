// A transaction and its messages as v3 writes them, in every group, and one of each for examples.

import { z } from 'zod'
import { descriptionExample, TransactionDescr } from './description.ts'
import { AccountStatus, Base64Hash, BlockId, Currencies, Digits, RawAddress } from './values.ts'

export const AccountState = z
  .object({
    hash: Base64Hash,
    balance: Digits.nullable(),
    extra_currencies: Currencies.nullable(),
    account_status: AccountStatus.nullable(),
    frozen_hash: Base64Hash.nullable(),
    data_hash: Base64Hash.nullable(),
    code_hash: Base64Hash.nullable(),
  })
  .meta({ id: 'AccountState', description: 'Nothing but its hash where no more is known.' })

export const MessageContent = z
  .object({
    hash: Base64Hash,
    body: z.string().meta({ description: 'Base64 of a bag of cells.' }),
    decoded: z.record(z.string(), z.unknown()).nullable(),
  })
  .meta({ id: 'MessageContent' })

const Opcode = z
  .string()
  .regex(/^0x[0-9a-f]{8}$/)
  .meta({ id: 'Opcode', description: 'First 32 bits of the body.' })

export const Message = z
  .object({
    hash: Base64Hash,
    source: RawAddress.nullable(),
    destination: RawAddress.nullable(),
    value: Digits.nullable(),
    value_extra_currencies: Currencies.nullable(),
    fwd_fee: Digits.nullable(),
    ihr_fee: Digits.nullable(),
    extra_flags: Digits.nullable(),
    created_lt: Digits.nullable(),
    created_at: Digits.nullable(),
    opcode: Opcode.nullable(),
    decoded_opcode: z.string().nullable(),
    ihr_disabled: z.boolean().nullable(),
    bounce: z.boolean().nullable(),
    bounced: z.boolean().nullable(),
    import_fee: Digits.nullable(),
    message_content: MessageContent.nullable(),
    init_state: MessageContent.nullable(),
    hash_norm: Base64Hash.optional().meta({ description: 'Of a message from outside, where it is not `hash`.' }),
    in_msg_tx_hash: Base64Hash.optional().meta({ description: 'In lists of messages: who took it in.' }),
    out_msg_tx_hash: Base64Hash.optional().meta({ description: 'In lists of messages: who sent it.' }),
  })
  .meta({ id: 'Message' })

export const Transaction = z
  .object({
    account: RawAddress,
    hash: Base64Hash,
    lt: Digits,
    now: z.int(),
    mc_block_seqno: z.int(),
    trace_id: Base64Hash.optional(),
    trace_external_hash: Base64Hash.optional(),
    prev_trans_hash: Base64Hash,
    prev_trans_lt: Digits,
    orig_status: AccountStatus,
    end_status: AccountStatus,
    total_fees: Digits,
    total_fees_extra_currencies: Currencies,
    description: TransactionDescr,
    block_ref: BlockId,
    in_msg: Message.nullable(),
    out_msgs: z.array(Message),
    account_state_before: AccountState,
    account_state_after: AccountState,
    emulated: z.boolean(),
    finality: z.enum(['pending', 'confirmed', 'finalized']),
  })
  .meta({ id: 'Transaction' })

const WALLET = '0:9DA971AF38D2F03ABDF308D5F91636A97E5A2B07A66C39D71D7CBAE3B032EDDC'
const JETTONS = '0:C4072D7B04AB4C504CD223DFDE42C8037C6A99272D3624AEC2CBFF2E72B102DD'

/** For examples: what a wallet is told from outside. */
const received: z.input<typeof Message> = {
  hash: 'VozWea9dlxyPbIhSjj+miS/INOWToEM7ZpK88jBlOaQ=',
  source: null,
  destination: WALLET,
  value: null,
  value_extra_currencies: null,
  fwd_fee: null,
  ihr_fee: null,
  extra_flags: null,
  created_lt: null,
  created_at: null,
  opcode: '0x38769672',
  decoded_opcode: null,
  ihr_disabled: null,
  bounce: null,
  bounced: null,
  import_fee: '0',
  message_content: {
    hash: 'lqKW0iTyhcZ77pPDD4owkVfw2qNdxbh+QQt4YwoJz8c=',
    body: 'te6cckEBAQEAAgAAAEysuc0=',
    decoded: null,
  },
  init_state: null,
  hash_norm: '+Xq5Q9gDDbv2AOcAujnAIQQugH76J8c2idrX2yAD5HY=',
}

/** And what it sends. */
const sent: z.input<typeof Message> = {
  hash: 'AzQ1Kcw5r0Aw8IfoD+hjHBYTfpekBVdEbDkV2cY6MkE=',
  source: WALLET,
  destination: JETTONS,
  value: '18000000',
  value_extra_currencies: {},
  fwd_fee: '493871',
  ihr_fee: '0',
  extra_flags: null,
  created_lt: '60056271000002',
  created_at: '1754158183',
  opcode: '0x0f8a7ea5',
  decoded_opcode: null,
  ihr_disabled: true,
  bounce: true,
  bounced: false,
  import_fee: null,
  message_content: {
    hash: 'lqKW0iTyhcZ77pPDD4owkVfw2qNdxbh+QQt4YwoJz8c=',
    body: 'te6cckEBAQEAAgAAAEysuc0=',
    decoded: null,
  },
  init_state: null,
}

const nothingBut = (hash: string): z.input<typeof AccountState> => ({
  hash,
  balance: null,
  extra_currencies: null,
  account_status: null,
  frozen_hash: null,
  data_hash: null,
  code_hash: null,
})

const transaction: z.input<typeof Transaction> = {
  account: WALLET,
  hash: 'jSE/gBnDgZOD8XG6nWYYvhoxQWQIMwI1S/8vyRJFu4A=',
  lt: '60056271000001',
  now: 1754158183,
  mc_block_seqno: 50503953,
  trace_id: 'jSE/gBnDgZOD8XG6nWYYvhoxQWQIMwI1S/8vyRJFu4A=',
  trace_external_hash: 'VozWea9dlxyPbIhSjj+miS/INOWToEM7ZpK88jBlOaQ=',
  prev_trans_hash: 'ToSdXp7UeaIG6lu9uL7DW6JXjfDwfWUN8Moex9K7CUk=',
  prev_trans_lt: '60056260000008',
  orig_status: 'active',
  end_status: 'active',
  total_fees: '2517337',
  total_fees_extra_currencies: {},
  description: descriptionExample,
  block_ref: { workchain: 0, shard: '8000000000000000', seqno: 55671169 },
  in_msg: received,
  out_msgs: [sent],
  account_state_before: {
    hash: 'YcuUapMh91VIQLSD5JVVOxWSOWOD0H68HmBQ5SZx+c8=',
    balance: '71523034005',
    extra_currencies: {},
    account_status: 'active',
    frozen_hash: null,
    data_hash: '+m6rIJZP18+3nPvC4jcv8gTtmiWWf3W1tZsQ6nH+Xec=',
    code_hash: '/rX/aCDi/w2Ug+fg1iyBfYRniftK5YDIeIZtlZ2r1cA=',
  },
  account_state_after: nothingBut('NqmT4obvuDb2LWViZkQ+JaHOmjjunoRoeV4w3xd5480='),
  emulated: false,
  finality: 'finalized',
}

export const chainExamples = { WALLET, received, sent, transaction }
