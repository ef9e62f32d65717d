// High-level actions of a trace; the fields of `details` depend on the type.

import { z } from 'zod'
import { actionDetails } from './actionDetails/index.ts'
import { BalanceChanges } from './balanceChange.ts'
import { Transaction } from './transaction.ts'
import { Base64Hash, Digits, RawAddress } from './values.ts'

const ActionFacts = z
  .object({
    trace_id: Base64Hash.nullable().describe(
      'Hash of the first transaction of the trace; null until that is in a block.',
    ),
    action_id: Base64Hash.describe('Stable id of the action.'),
    start_lt: Digits.describe('Lowest logical time of its messages and transactions.'),
    end_lt: Digits.describe('Highest logical time of its transactions.'),
    start_utime: z.int().describe('Unix seconds of its first transaction.'),
    end_utime: z.int().describe('Unix seconds of its last transaction.'),
    trace_end_lt: Digits.describe('Highest logical time of the trace.'),
    trace_end_utime: z.int().describe('Unix seconds of the last transaction of the trace.'),
    trace_mc_seqno_end: z.int().describe('Masterchain block in which the trace ended.'),
    transactions: z.array(Base64Hash).describe('Hashes of its transactions, the initiating one included.'),
    success: z.boolean().describe('True when the action achieved its purpose.'),
    trace_external_hash: Base64Hash.optional().describe('Hash of the message from outside that began the trace.'),
    trace_external_hash_norm: Base64Hash.optional().describe('Normalized hash of that message.'),
    accounts: z.array(RawAddress).optional().describe('Accounts involved; only with `include_accounts`.'),
    transactions_full: z
      .array(Transaction)
      .optional()
      .describe('Transactions in full; only with `include_transactions`.'),
    balance_changes: BalanceChanges.optional(),
    finality: z.enum(['pending', 'confirmed', 'finalized']).describe('How certain it is; `finalized` in the index.'),
    parent_gasless_action: Base64Hash.optional().describe('Id of the gasless request that caused it.'),
  })
  .meta({ id: 'ActionFacts', description: 'What every action has, whatever its type.' })

type DetailSchemas = typeof actionDetails

/** Details by type of action. */
export type ActionDetails = { [T in keyof DetailSchemas]: z.output<DetailSchemas[T]> }

/**
 * A type this version does not know, from a newer service; its text is just that type. With `string` in its place every
 * listed type could be it, and TypeScript could not narrow.
 */
export type UnlistedActionType = `${string} (unlisted)`

/** A type of action and its details. */
export type ActionKind =
  | { [T in keyof ActionDetails]: { type: T; details: ActionDetails[T] } }[keyof ActionDetails]
  | { type: UnlistedActionType; details: Record<string, unknown> }

const TYPE = 'Kind of action; it decides the fields of `details`.'
const DETAILS = 'Facts of the action.'

const classified = Object.entries(actionDetails).map(([type, details]) =>
  z.object({ type: z.literal(type).describe(TYPE), details: details.describe(DETAILS) }),
)

/** Types this version does not know, which a newer service may emit. */
const Unlisted = z.object({
  type: z
    .string()
    .refine((type) => !Object.hasOwn(actionDetails, type), 'has details of its own')
    .describe('A type that is not listed here.'),
  details: z.record(z.string(), z.unknown()).describe(DETAILS),
})

const [first, ...others] = classified
const Kind = z
  .union([first ? z.discriminatedUnion('type', [first, ...others]) : z.never(), Unlisted])
  .meta({ id: 'ActionKind', description: 'Type and details of an action.' })

export type Action = z.output<typeof ActionFacts> & ActionKind

// The cast: the form of an unlisted type is there for TypeScript only.
export const Action = z.intersection(ActionFacts, Kind).meta({
  id: 'Action',
  description: 'An action: its facts, its type and the details of that type.',
}) as unknown as z.ZodType<Action, Action>
