// What a trace did, in the words of people. What `details` holds goes by the type.

import { z } from 'zod'
import { Transaction } from './transaction.ts'
import { Base64Hash, Digits, RawAddress } from './values.ts'

export const Action = z
  .object({
    trace_id: Base64Hash.nullable().meta({ description: 'Null as long as no block has its first transaction.' }),
    action_id: Base64Hash,
    start_lt: Digits,
    end_lt: Digits,
    start_utime: z.int(),
    end_utime: z.int(),
    trace_end_lt: Digits,
    trace_end_utime: z.int(),
    trace_mc_seqno_end: z.int(),
    transactions: z.array(Base64Hash).meta({ description: 'Hashes, that of the transaction it began with included.' }),
    success: z.boolean(),
    type: z.string(),
    details: z.record(z.string(), z.unknown()).meta({ description: 'By type.' }),
    trace_external_hash: Base64Hash.optional().meta({ description: 'Of the message the trace began with.' }),
    trace_external_hash_norm: Base64Hash.optional(),
    accounts: z.array(RawAddress).optional(),
    transactions_full: z.array(Transaction).optional(),
    finality: z.enum(['pending', 'confirmed', 'finalized']),
    parent_gasless_action: Base64Hash.optional().meta({
      description: 'The request inside a message that caused it.',
    }),
  })
  .meta({ id: 'Action' })
