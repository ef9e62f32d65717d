// A transaction and its messages as v3 writes them, in every group, and one of each for examples.

import { z } from 'zod'
import { exampleValues } from '../exampleValues.ts'
import { descriptionExample, TransactionDescr } from './description.ts'
import { Base64Hash, BlockId, Currencies, Digits, IndexedStatus, RawAddress } from './values.ts'

export const StateAtTransaction = z
  .object({
    hash: Base64Hash.describe('Hash of the account cell.'),
    balance: Digits.nullable().describe('Balance in nanotons; null when the state is not stored.'),
    extra_currencies: Currencies.nullable().describe('Extra currency balances; null when the state is not stored.'),
    account_status: IndexedStatus.nullable().describe('Status of the account; null when the state is not stored.'),
    frozen_hash: Base64Hash.nullable().describe('State hash of a frozen account, else null.'),
    data_hash: Base64Hash.nullable().describe('Hash of the data cell; null without data.'),
    code_hash: Base64Hash.nullable().describe('Hash of the code cell; null without code.'),
  })
  .meta({ id: 'AccountState', description: 'Nothing but its hash where no more is known.' })

export const MessageContent = z
  .object({
    hash: Base64Hash.describe('Hash of the cell.'),
    body: z.string().meta({ description: 'Base64 of a bag of cells.' }),
    decoded: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe('Body decoded by its TL-B scheme; null when no scheme fits.'),
  })
  .meta({ id: 'MessageContent' })

const Opcode = z
  .string()
  .regex(/^0x[0-9a-f]{8}$/)
  .meta({ id: 'Opcode', description: 'First 32 bits of the body.' })

export const Message = z
  .object({
    hash: Base64Hash.describe('Hash of the message cell.'),
    source: RawAddress.nullable().describe('Sender; null for a message from outside.'),
    destination: RawAddress.nullable().describe('Recipient; null for a message that leaves the chain.'),
    value: Digits.nullable().describe('Amount in nanotons; null for external messages.'),
    value_extra_currencies: Currencies.nullable().describe('Extra currencies carried; null for external messages.'),
    fwd_fee: Digits.nullable().describe('Forwarding fee in nanotons; null for external messages.'),
    ihr_fee: Digits.nullable().describe('Fee for instant hypercube routing in nanotons; null for external messages.'),
    extra_flags: Digits.nullable().describe('Flags from network version 12 on, else null.'),
    created_lt: Digits.nullable().describe('Logical time of sending; null for a message from outside.'),
    created_at: Digits.nullable().describe('Unix seconds of sending; null for a message from outside.'),
    opcode: Opcode.nullable().describe('First 32 bits of the body; null for a shorter body.'),
    decoded_opcode: z.string().nullable().describe('Name of the operation; null when unknown.'),
    ihr_disabled: z
      .boolean()
      .nullable()
      .describe('True without instant hypercube routing; null for external messages.'),
    bounce: z
      .boolean()
      .nullable()
      .describe('True when it returns to the sender on failure; null for external messages.'),
    bounced: z.boolean().nullable().describe('True for a returned message; null for external messages.'),
    import_fee: Digits.nullable().describe('Import fee in nanotons; only for messages from outside.'),
    message_content: MessageContent.nullable().describe('Body of the message.'),
    init_state: MessageContent.nullable().describe('Attached StateInit, else null.'),
    hash_norm: Base64Hash.optional().describe(
      'Normalized hash of a message from outside, present when it differs from `hash`.',
    ),
    in_msg_tx_hash: Base64Hash.optional().describe('Transaction that received it; only in lists of messages.'),
    out_msg_tx_hash: Base64Hash.optional().describe('Transaction that sent it; only in lists of messages.'),
  })
  .meta({ id: 'Message' })
export type Message = z.output<typeof Message>

export const Transaction = z
  .object({
    account: RawAddress.describe('Account that was executed.'),
    hash: Base64Hash.describe('Hash of the transaction cell.'),
    lt: Digits.describe('Logical time.'),
    now: z.int().describe('Unix seconds of its block.'),
    mc_block_seqno: z.int().describe('Masterchain block that committed it; a prediction while pending.'),
    trace_id: Base64Hash.optional().describe(
      'Hash of the first transaction of its trace; absent until that is in a block.',
    ),
    trace_external_hash: Base64Hash.optional().describe('Hash of the message from outside that began its trace.'),
    prev_trans_hash: Base64Hash.describe('Previous transaction of the account; zeros for the first.'),
    prev_trans_lt: Digits.describe('Logical time of the previous transaction, 0 for the first.'),
    orig_status: IndexedStatus.describe('Account status before.'),
    end_status: IndexedStatus.describe('Account status after.'),
    total_fees: Digits.describe('All fees collected, in nanotons.'),
    total_fees_extra_currencies: Currencies.describe('Fees collected in extra currencies.'),
    description: TransactionDescr.describe('Phases of the execution.'),
    block_ref: BlockId.describe('Block that holds it.'),
    in_msg: Message.nullable().describe('Message that caused it; null for tick-tock and other system transactions.'),
    out_msgs: z.array(Message).describe('Messages sent, by logical time.'),
    account_state_before: StateAtTransaction.describe('State of the account before it.'),
    account_state_after: StateAtTransaction.describe('State of the account after it.'),
    emulated: z.boolean().describe('True when predicted by the TVM and not in a block yet.'),
    finality: z
      .enum(['pending', 'confirmed', 'finalized'])
      .describe('How certain it is; always `finalized` in the index.'),
  })
  .meta({ id: 'Transaction' })
export type Transaction = z.output<typeof Transaction>

const WALLET = exampleValues.OWNER
const JETTONS = exampleValues.JETTON_WALLET

/** For examples: an external message to a wallet. */
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
    body: exampleValues.CELL,
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
    body: exampleValues.CELL,
    decoded: null,
  },
  init_state: null,
}

const nothingBut = (hash: string): z.input<typeof StateAtTransaction> => ({
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
  hash: exampleValues.TRACE,
  lt: '60056271000001',
  now: 1754158183,
  mc_block_seqno: 50503953,
  trace_id: exampleValues.TRACE,
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
    data_hash: exampleValues.DATA_HASH,
    code_hash: '/rX/aCDi/w2Ug+fg1iyBfYRniftK5YDIeIZtlZ2r1cA=',
  },
  account_state_after: nothingBut('NqmT4obvuDb2LWViZkQ+JaHOmjjunoRoeV4w3xd5480='),
  emulated: false,
  finality: 'finalized',
}

export const chainExamples = { WALLET, received, sent, transaction }
