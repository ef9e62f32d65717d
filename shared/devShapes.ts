// What the control methods of the embedded chain answer with.

import { z } from 'zod'
import { MINING_PATTERN, MINING_WORDS, parseMining } from './mining.ts'
import { Digits } from './primitives.ts'
import { BlockIdExt } from './v2/tonlib.ts'

export const Mining = z
  .string()
  .regex(MINING_PATTERN, `mining is ${MINING_WORDS}`)
  .refine((text) => parseMining(text) !== null, 'a time between blocks is 10ms to 24h')
  .meta({ description: '`auto`, `manual`, or a time between blocks like `1s`.' })

export const Head = z
  .object({
    seqno: z.int().meta({ description: 'Newest masterchain block.' }),
    utime: z.int().meta({ description: 'Its time, unix seconds.' }),
  })
  .meta({ id: 'DevHead' })

export const Caused = Head.extend({
  tx_hash: z
    .string()
    .optional()
    .meta({ description: 'Transaction on the account the call is about; absent while no block has it.' }),
  trace_id: z
    .string()
    .optional()
    .meta({ description: 'First transaction of the trace the call began; absent while no block has it.' }),
  pending: z.int().meta({ description: 'Messages of the trace that no block has delivered yet; 0 when it has ended.' }),
}).meta({ id: 'DevCaused' })

export const Clock = Head.extend({
  chain_time: z.int().meta({ description: 'Unix seconds on the chain: the next block is not before.' }),
  clock_offset: z.int().meta({ description: "Seconds the chain's clock is ahead of this computer's." }),
  note: z.string().meta({ description: 'What that means for messages of wallets, in words.' }),
}).meta({ id: 'DevClock' })

export const State = z.object({
  head: BlockIdExt,
  utime: z.int(),
  mining: Mining,
  clock_offset: z.int().meta({ description: "Seconds the chain's clock is ahead of this computer's." }),
  pending: z.int().meta({ description: 'Messages that wait for a block.' }),
  epoch: z.int().meta({ description: 'How often the chain was reverted.' }),
  accounts: z.array(
    z.object({
      name: z.string(),
      kind: z.string(),
      address: z.string().meta({ description: 'Raw form.' }),
      friendly: z.string().meta({ description: 'As v3 and wallets of test networks print it.' }),
      bounceable: z.string().meta({ description: 'As v2 prints it.' }),
      publicKey: z.string(),
      mnemonic: z.string(),
      walletId: z.int().optional().meta({ description: 'Of a wallet; that of v5r1 contains the global id.' }),
      balance: Digits.meta({ description: 'Nanocoins at genesis.' }),
    }),
  ),
})
