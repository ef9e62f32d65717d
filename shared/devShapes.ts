// What the control methods of the embedded chain return.

import { z } from 'zod'
import { MINING_PATTERN, MINING_WORDS, parseMining } from './mining.ts'
import { Digits } from './primitives.ts'
import { TonBlockIdExt } from './v2/tonlib.ts'

export const Mining = z
  .string()
  .regex(MINING_PATTERN, `mining is ${MINING_WORDS}`)
  .refine((text) => parseMining(text) !== null, 'a time between blocks is 10ms to 24h')
  .meta({ description: '`auto`, `manual`, or a time between blocks like `1s`.' })

export const DevHead = z
  .object({
    seqno: z.int().meta({ description: 'Seqno of the newest masterchain block.' }),
    utime: z.int().meta({ description: 'Time of that block, unix seconds.' }),
  })
  .meta({ id: 'DevHead', description: 'Head of the chain after the call.' })

export const DevCaused = DevHead.extend({
  tx_hash: z
    .string()
    .optional()
    .meta({ description: 'Hash of the transaction on the account, base64; absent while no block has it.' }),
  trace_id: z
    .string()
    .optional()
    .meta({ description: 'Id of the trace, base64: the hash of its first transaction; absent while no block has it.' }),
  pending: z.int().meta({ description: 'Messages of the trace that are not delivered yet; 0 when it has ended.' }),
}).meta({ id: 'DevCaused', description: 'Head of the chain and the trace that was started.' })

const ClockOffset = z.int().meta({ description: "Seconds the chain's clock is ahead of this computer's." })

export const DevClock = DevHead.extend({
  chain_time: z
    .int()
    .meta({ description: 'Clock of the chain, unix seconds; the next block has this time or a later one.' }),
  clock_offset: ClockOffset,
  note: z.string().meta({ description: 'What this means for messages signed by wallets.' }),
}).meta({ id: 'DevClock', description: 'Head and clock of the chain.' })

export const State = z.object({
  head: TonBlockIdExt.describe('Newest masterchain block.'),
  utime: z.int().describe('Time of that block, unix seconds.'),
  mining: Mining,
  clock_offset: ClockOffset,
  pending: z.int().meta({ description: 'Messages that are in no block yet.' }),
  epoch: z
    .int()
    .meta({ description: 'Number of times the chain was reverted; clients drop what they cached when it changes.' }),
  fork: z
    .object({
      seqno: z.int().describe('Masterchain block of the network.'),
      root_hash: z.string().describe('Its root hash, base64.'),
      gen_utime: z.int().describe('Its time, unix seconds.'),
      accounts: z.int().describe('Accounts of the network that are in the chain by now.'),
    })
    .optional()
    .meta({ description: 'Where the chain was forked off a network; absent for a chain of its own.' }),
  accounts: z
    .array(
      z.object({
        name: z.string().describe('Name of the account, such as `wallet1`.'),
        kind: z.string().describe('Version of the contract, such as `v5r1`.'),
        address: z.string().describe('Address in raw form.'),
        friendly: z.string().meta({ description: 'Address as v3 and wallets on test networks print it.' }),
        bounceable: z.string().meta({ description: 'Address as v2 prints it.' }),
        publicKey: z.string().describe('Ed25519 key, 64 hex digits.'),
        mnemonic: z.string().describe('24 words; published, for tests only.'),
        walletId: z.int().optional().meta({ description: 'Wallet id; that of v5r1 contains the id of the network.' }),
        balance: Digits.meta({ description: 'Balance at genesis, nanotons.' }),
      }),
    )
    .describe('Test accounts, the faucet among them.'),
})
