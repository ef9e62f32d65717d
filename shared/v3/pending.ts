// Traces of messages sent here that are not finished: the part in blocks, and the rest as the TVM predicts it.

import { z } from 'zod'
import { method } from '../method.ts'
import { AccountList, HashList, pendingFilters } from './filters.ts'
import { bookField, sideExample, sideFields } from './sideObjects.ts'
import { Trace, traceExample } from './traces.ts'
import { chainExamples, Transaction } from './transaction.ts'
import { readsV3 } from './values.ts'

const group = 'pending'

const { transaction, received } = chainExamples

const { trace_id: _, ...supposed } = transaction

const emulated: z.input<typeof Transaction> = {
  ...supposed,
  trace_external_hash: received.hash,
  emulated: true,
  finality: 'pending',
}

const { trace_info, ...traceOnItsWay } = traceExample

const trace: z.input<typeof Trace> = {
  ...traceOnItsWay,
  trace_id: null,
  trace_info: { ...trace_info, trace_state: 'pending', messages: 2, pending_messages: 2, classification_state: 'ok' },
  actions: [],
  transactions: { [transaction.hash]: emulated },
}

export const pendingV3 = {
  'v3.pendingTraces': method({
    summary: 'Pending traces of an account, or started by one of these messages.',
    description:
      'To follow a message from sending to its last transaction. Emulates the rest of the trace and knows only messages sent through this service; empty when none is pending. A trace with over 4,000 transactions in blocks is left out until it ends. For finished traces use v3.traces.',
    group,
    params: z.strictObject(pendingFilters('traces that touch')),
    result: z
      .object({ traces: z.array(Trace).describe('Pending traces.'), ...sideFields })
      .meta({ id: 'PendingTracesResponse' }),
    rest: readsV3('pendingTraces'),
    freshness: 'live',
    cost: 2,
    example: { params: { ext_msg_hash: [received.hash] }, result: { traces: [trace], ...sideExample } },
  }),

  'v3.pendingTransactions': method({
    summary: 'Transactions of pending traces that are not in a block yet.',
    description:
      'Requires `account` or `trace_id`. Emulates the rest of the trace and knows only messages sent through this service; 404 when none is pending. For transactions in blocks use v3.transactions.',
    group,
    params: z.strictObject({
      account: AccountList.optional().describe('Only transactions of these accounts.'),
      trace_id: HashList.optional().describe(
        'Hash of the first transaction, or either hash of the message from outside.',
      ),
    }),
    result: z
      .object({
        transactions: z.array(Transaction).describe('Transactions not in a block yet.'),
        ...bookField,
      })
      .meta({ id: 'PendingTransactionsResponse' }),
    rest: readsV3('pendingTransactions'),
    freshness: 'live',
    cost: 2,
    example: {
      params: { trace_id: [received.hash] },
      result: { transactions: [emulated], address_book: sideExample.address_book },
    },
  }),
}
