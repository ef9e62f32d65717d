// One call that sends a message and answers when it is done.

import { z } from 'zod'
import { exampleValues } from '../exampleValues.ts'
import { method } from '../method.ts'
import { Boc } from '../primitives.ts'
import { TRANSFER } from '../v2/messages.ts'
import { ActionWords } from './filters.ts'
import { sideExample, sideFields } from './sideObjects.ts'
import { Trace, traceExample } from './traces.ts'
import { Base64Hash } from './values.ts'

const LONGEST_MS = 30_000

const Level = z.enum(['pending', 'confirmed', 'finalized'])

export const sendAndWaitV3 = {
  'v3.sendAndWait': method({
    summary: 'Sends an external message and answers when it is in a block, or when all that followed from it is.',
    description:
      'Repeatable: a message that was sent before, by whatever program, is not sent again, and the answer is the same. A message that is refused, has expired or lost its seqno to another one is an error with its hashes; after `timeout_ms` it is `messagePending` (408): call again.',
    group: 'messages',
    params: z.strictObject({
      boc: Boc.describe('Signed external message, base64 BoC.'),
      wait: Level.default('finalized').describe(
        '`pending`: accepted; `confirmed`: in a block; `finalized`: its whole trace is in blocks.',
      ),
      timeout_ms: z.int().min(100).max(LONGEST_MS).default(20_000).describe('How long to wait, in milliseconds.'),
      include_actions: z.boolean().default(false).describe('Include the actions of the trace.'),
      supported_action_types: ActionWords,
    }),
    result: z
      .object({
        message_hash: Base64Hash.describe('Hash of the message as it was sent.'),
        message_hash_norm: Base64Hash.describe('Normalized hash, by which the message is found in any form.'),
        status: Level.describe('How far the message is: at least as far as `wait`.'),
        trace: Trace.nullable().describe('What followed from it, emulated where no block has it; null when unknown.'),
        ...sideFields,
      })
      .meta({ id: 'SentAndAwaited' }),
    rest: [{ verb: 'POST', path: '/api/v3/sendAndWait' }],
    freshness: 'live',
    waitMs: LONGEST_MS,
    cost: 2,
    example: {
      params: { boc: TRANSFER, wait: 'finalized' },
      result: {
        message_hash: exampleValues.HASH,
        message_hash_norm: exampleValues.OTHER_HASH,
        status: 'finalized',
        trace: traceExample,
        ...sideExample,
      },
    },
  }),
}
