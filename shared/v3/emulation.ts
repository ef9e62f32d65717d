// What messages would do: emulated on the state of a block, nothing is sent and nothing kept.

import { z } from 'zod'
import { fromBase64 } from '../base64.ts'
import { exampleValues } from '../exampleValues.ts'
import { method, type Route } from '../method.ts'
import { AnyHash, Coins, MOST_BOC_CHARACTERS, Uint32 } from '../primitives.ts'
import { Action } from './action.ts'
import { BalanceChanges, IncludeBalanceChanges } from './balanceChange.ts'
import { HashFilter } from './filters.ts'
import { AddressBook, Metadata, sideExample } from './sideObjects.ts'
import { TraceNode } from './traces.ts'
import { chainExamples, Transaction } from './transaction.ts'
import { Base64Hash, Digits, IndexedStatus } from './values.ts'

const group = 'emulation'

const posts = (name: string): readonly Route[] => [{ verb: 'POST', path: `/api/emulate/v1/${name}` }]

/** A bag of cells in the standard alphabet with its padding; the texts of refusals are those clients match on. */
const bagOfCells = ({ empty, wrong }: { readonly empty: string; readonly wrong: string }) =>
  z
    .string()
    .max(MOST_BOC_CHARACTERS, `${wrong}: over ${MOST_BOC_CHARACTERS} characters of base64`)
    .transform((text, context): Uint8Array => {
      const isStandard = text.length % 4 === 0 && !/[-_]/.test(text)
      const bytes = isStandard ? fromBase64(text) : null
      if (bytes !== null && bytes.length > 0) return bytes
      context.addIssue(text === '' ? empty : `${wrong}: not base64 in the standard alphabet with padding`)
      return z.NEVER
    })
    .meta({ format: 'boc' })

const MessageBoc = bagOfCells({ empty: 'boc is required', wrong: 'invalid boc' }).meta({
  id: 'MessageBoc',
  description: 'One message as a bag of cells in standard base64 with padding.',
})

/** Messages of one request. */
const MOST_MESSAGES = 16
/** Most a v5 wallet sends at once. */
const MOST_TRANSFERS = 255
const MOST_OVERRIDES = 64

const isUint32 = (text: string): boolean => Number(text) < 2 ** 32
const isInt32 = (text: string): boolean => Number(text) >= -(2 ** 31) && Number(text) < 2 ** 31

const ExtraCurrencies = z.record(
  z
    .string()
    .regex(/^(0|[1-9]\d{0,9})$/)
    .refine(isUint32),
  Coins,
)

const StateOverride = z
  .object({
    balance: Coins.optional().describe('Balance in nanotons.'),
    code: bagOfCells({ empty: 'empty code', wrong: 'invalid code' }).optional().describe('Code, base64 BoC.'),
    data: bagOfCells({ empty: 'empty data', wrong: 'invalid data' }).optional().describe('Data, base64 BoC.'),
    status: IndexedStatus.exclude(['frozen']).optional().describe('Status; `active` when code is given.'),
    extra_currencies: ExtraCurrencies.optional().describe('Extra currencies by id.'),
  })
  .meta({ id: 'StateOverride', description: 'What is different about an account before the run; the rest stays.' })

/** What both ways of emulation share. */
const options = {
  with_actions: z.boolean().default(false).describe('Classify the trace into actions.'),
  include_code_data: z.boolean().default(false).describe('Include code and data of each state as BoC.'),
  include_address_book: z.boolean().default(false).describe('Include names of the accounts.'),
  include_metadata: z.boolean().default(false).describe('Include metadata of tokens, new ones included.'),
  include_balance_changes: IncludeBalanceChanges,
  include_vm_log: z
    .enum(['none', 'failed', 'all'])
    .default('none')
    .describe('Include the log of the TVM for no, for failed or for all transactions.'),
  mc_block_seqno: Uint32.optional().describe('Masterchain block to start from; the newest when absent.'),
  unixtime: Uint32.optional().describe(
    'Time of the first transactions; when absent 3 s after the block, or what the clock was moved to.',
  ),
  lt: Digits.optional().describe('Logical time of the first transactions, of 63 bits, where accounts allow it.'),
  rand_seed: AnyHash.optional().describe('Random seed; derived from block and message when absent.'),
  state_overrides: z
    .record(z.string().max(128), StateOverride)
    .refine((all) => Object.keys(all).length <= MOST_OVERRIDES, `at most ${MOST_OVERRIDES} accounts in state_overrides`)
    .optional()
    .describe('Accounts that differ from the block, by address.'),
  config_overrides: z
    .record(
      z
        .string()
        .regex(/^(0|-?[1-9]\d{0,9})$/)
        .refine(isInt32),
      bagOfCells({ empty: 'empty config parameter', wrong: 'invalid config parameter' }),
    )
    .optional()
    .describe('Configuration parameters that differ from the block, base64 BoC by number.'),
}

const Emulated = z
  .object({
    mc_block_seqno: z.int().describe('Masterchain block the emulation started from.'),
    trace: TraceNode.describe('Tree of the transactions; of the first message when there are several.'),
    traces: z.array(TraceNode).optional().describe('One tree for each message; only with `messages`.'),
    transactions: z.record(z.string(), Transaction).describe('Transactions by hash, with their states in full.'),
    actions: z.array(Action).describe('Actions, the last to end first; empty without `with_actions`.'),
    code_cells: z.record(z.string(), z.string()).optional().describe('Codes by hash, base64 BoC.'),
    data_cells: z.record(z.string(), z.string()).optional().describe('Data by hash, base64 BoC.'),
    address_book: AddressBook.optional().describe('Names of accounts.'),
    metadata: Metadata.optional().describe('Metadata of tokens.'),
    vm_logs: z.record(z.string(), z.string()).optional().describe('Log of the TVM by transaction, its last 256 kB.'),
    balance_changes: BalanceChanges.optional(),
    rand_seed: Base64Hash.describe('Random seed of the run: with it, `unixtime` and the block, a repetition is equal.'),
    is_incomplete: z.boolean().describe('True when the trace is longer than 256 transactions or deeper than 32.'),
  })
  .meta({ id: 'EmulateResponse' })

/** A missing value and a wrong one are refused in different words, by the handler. */
const textOrNone = (most: number) =>
  z
    .string()
    .max(most)
    .nullish()
    .transform((text) => text ?? '')

/** A number of 64 bits: nanoseconds since 1970 are more than a number holds exactly, and are rounded to seconds. */
const UnixTimeInAnyUnit = z
  .number()
  .min(0)
  .max(2 ** 64)
  .refine(Number.isInteger, 'must be a whole number')

const Transfer = z
  .object({
    address: textOrNone(128).describe('Recipient; its form decides whether the message bounces.'),
    amount: textOrNone(64).describe('Nanotons, decimal digits.'),
    payload: z.string().max(MOST_BOC_CHARACTERS).nullish().describe('Body, base64 BoC.'),
    stateInit: z.string().max(MOST_BOC_CHARACTERS).nullish().describe('StateInit, base64 BoC.'),
    extra_currency: ExtraCurrencies.nullish().describe('Extra currencies by id.'),
  })
  .meta({ id: 'TonConnectMessage', description: 'A message as TON Connect names its fields.' })

const { transaction, received } = chainExamples
const { trace_id: _, ...supposed } = transaction

const result: z.input<typeof Emulated> = {
  mc_block_seqno: 50503952,
  trace: { tx_hash: transaction.hash, in_msg_hash: received.hash, children: [] },
  transactions: {
    [transaction.hash]: { ...supposed, trace_external_hash: received.hash, emulated: true, finality: 'pending' },
  },
  actions: [],
  address_book: sideExample.address_book,
  rand_seed: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=',
  is_incomplete: false,
}

const PAYLOAD = exampleValues.CELL

const Phase = z.int().nullable()

const Replayed = z
  .object({
    tx_hash: Base64Hash.describe('The transaction.'),
    is_equal: z.boolean().describe('True when the repetition has the same hash, and so the same state after it.'),
    replayed_tx_hash: Base64Hash.nullable().describe('Hash of the repetition; null when it led to no transaction.'),
    state_hash: Base64Hash.describe('Hash of the state after the transaction.'),
    replayed_state_hash: Base64Hash.nullable().describe('The same of the repetition.'),
    exit_code: Phase.describe('Exit code of the repetition; null without a compute phase.'),
    action_result_code: Phase.describe('Result of its action phase; null without one.'),
    reason: z.string().nullable().describe('Why it led to no transaction, else null.'),
    vm_log: z.string().describe('Log of the TVM, its last 256 kB.'),
  })
  .meta({ id: 'ReplayResponse' })

const AfterPending = z
  .boolean()
  .default(false)
  .describe('Run after the messages that were sent here and are in no block yet.')

export const emulationV3 = {
  'emulate.trace': method({
    summary: 'What a message would do: its whole trace, emulated.',
    description:
      'Takes an external message as it would be sent, or an internal one, whose trace begins with its arrival. Nothing is sent. Two equal requests on one block give the same bytes. At most 256 transactions.',
    group,
    params: z.strictObject({
      boc: MessageBoc.optional().describe('The message.'),
      messages: z
        .array(MessageBoc)
        .min(1)
        .max(MOST_MESSAGES)
        .optional()
        .describe('Several messages instead of `boc`, one after the other on one state.'),
      ignore_chksig: z
        .boolean()
        .default(false)
        .describe('Take every signature as valid in the first transaction of each message.'),
      after_pending: AfterPending,
      ...options,
    }),
    result: Emulated,
    rest: posts('emulateTrace'),
    freshness: 'live',
    cost: 5,
    example: { params: { boc: PAYLOAD, include_address_book: true }, result },
  }),

  'emulate.replay': method({
    summary: 'A transaction of the chain executed again on the state it began with, with the log of the TVM.',
    description:
      'To see why a transaction failed. Configuration, time, seed and message are those of its block. Only transactions of messages; those of the same account before it in the block are run too, at most 64.',
    group,
    params: z.strictObject({ tx_hash: HashFilter.describe('Hash of the transaction.') }),
    result: Replayed,
    rest: posts('replay'),
    freshness: 'live',
    cost: 5,
    example: {
      params: { tx_hash: transaction.hash },
      result: {
        tx_hash: transaction.hash,
        is_equal: true,
        replayed_tx_hash: transaction.hash,
        state_hash: transaction.account_state_after.hash,
        replayed_state_hash: transaction.account_state_after.hash,
        exit_code: 0,
        action_result_code: 0,
        reason: null,
        vm_log: 'execute SETCP 0\n',
      },
    },
  }),

  'emulate.tonConnect': method({
    summary:
      'What a TON Connect request would do: the message is composed for the wallet and emulated without a signature.',
    description:
      'For previews before a wallet signs. `from` is a wallet v3, v4 or v5; seqno and wallet id are read from its state. Then as emulate.trace with `ignore_chksig`.',
    group,
    params: z.strictObject({
      from: z.string().max(128).default('').describe('The wallet, in any form of an address.'),
      messages: z
        .array(Transfer)
        .max(MOST_TRANSFERS, `messages array cannot contain more than ${MOST_TRANSFERS} messages`)
        .default([])
        .describe('What it is to send: at most 4 messages, 255 for a v5 wallet.'),
      valid_until: UnixTimeInAnyUnit.optional().describe(
        'When the request expires, in seconds since 1970; larger numbers are ms, us or ns.',
      ),
      from_state_init: bagOfCells({ empty: 'empty from_state_init', wrong: 'invalid from_state_init' })
        .optional()
        .describe('StateInit of a wallet that is not deployed.'),
      after_pending: AfterPending,
      ...options,
    }),
    result: Emulated,
    rest: posts('emulateTonConnect'),
    freshness: 'live',
    cost: 5,
    example: {
      params: {
        from: exampleValues.OWNER,
        messages: [{ address: exampleValues.JETTON_WALLET, amount: '18000000' }],
        include_address_book: true,
      },
      result,
    },
  }),
}
