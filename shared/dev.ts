// Control of the embedded chain: what a developer may do to it and nobody can do to a real one. JSON-RPC only, and only
// for callers who may control it.

import { z } from 'zod'
import { method } from './method.ts'
import { Address, Boc, Coins, Digits } from './primitives.ts'
import { BlockIdExt } from './v2/tonlib.ts'

const group = 'control of the embedded chain'
const control = true
const ALICE = '0:1111111111111111111111111111111111111111111111111111111111111111'
const MOST_BLOCKS = 10_000
const MOST_SECONDS = 10 * 366 * 86_400

const Mining = z
  .string()
  .regex(/^(auto|manual|\d{1,6}(ms|s|m))$/, 'mining is auto, manual or a time like 500ms or 1s')
  .meta({ description: '`auto`, `manual`, or a time between blocks like `1s`.' })

const Head = z
  .object({
    seqno: z.int().meta({ description: 'Newest masterchain block.' }),
    utime: z.int().meta({ description: 'Its time, unix seconds.' }),
  })
  .meta({ id: 'DevHead' })

const Amount = Coins.meta({ description: 'In the smallest units of the jetton: 1000000000 is one.' })

const head = { seqno: 7, utime: 1_795_165_388 }

export const dev = {
  'dev.faucet': method({
    summary:
      'Coins for an account, out of the faucet. Answered when they are on their way; with mining at auto, there.',
    group,
    control,
    params: z.strictObject({ address: Address, amount: Coins.prefault('10000000000') }),
    result: Head,
    rest: [],
    freshness: 'live',
    example: { params: { address: ALICE, amount: '1000000000' }, result: head },
  }),

  'dev.jetton': method({
    summary:
      'Some of the demo jetton for an account: minted, the jetton deployed first where it is not there. Answered as dev.faucet.',
    group,
    control,
    params: z.strictObject({ address: Address, amount: Amount.prefault('1000000000') }),
    result: Head.extend({
      master: z.string().meta({ description: 'The jetton, in raw form.' }),
      wallet: z.string().meta({ description: "The account's wallet of it." }),
    }).meta({ id: 'DevJetton' }),
    rest: [],
    freshness: 'live',
    example: {
      params: { address: ALICE, amount: '5000000000' },
      result: { ...head, master: `0:${'22'.repeat(32)}`, wallet: `0:${'33'.repeat(32)}` },
    },
  }),

  'dev.nft': method({
    summary:
      'A new item of the demo collection for an account; the collection is deployed first where it is not there. Answered as dev.faucet.',
    group,
    control,
    params: z.strictObject({ address: Address }),
    result: Head.extend({
      collection: z.string().meta({ description: 'In raw form.' }),
      item: z.string().meta({ description: 'In raw form.' }),
      index: Digits,
    }).meta({ id: 'DevItem' }),
    rest: [],
    freshness: 'live',
    example: {
      params: { address: ALICE },
      result: { ...head, collection: `0:${'22'.repeat(32)}`, item: `0:${'33'.repeat(32)}`, index: '8' },
    },
  }),

  'dev.mine': method({
    summary: 'Makes blocks now.',
    group,
    control,
    params: z.strictObject({ blocks: z.int().min(1).max(MOST_BLOCKS).default(1) }),
    result: Head,
    rest: [],
    freshness: 'live',
    example: { params: { blocks: 1 }, result: head },
  }),

  'dev.increaseTime': method({
    summary: 'Moves the clock of the chain on; the next block shows it.',
    group,
    control,
    params: z.strictObject({ seconds: z.int().min(0).max(MOST_SECONDS) }),
    result: Head,
    rest: [],
    freshness: 'live',
    example: { params: { seconds: 60 }, result: head },
  }),

  'dev.setNextBlockTime': method({
    summary: 'Sets the time of the next block; it must not lie before the last one.',
    group,
    control,
    params: z.strictObject({
      utime: z
        .int()
        .min(0)
        .max(2 ** 32 - 1),
    }),
    result: Head,
    rest: [],
    freshness: 'live',
    example: { params: { utime: 4_000_000_000 }, result: head },
  }),

  'dev.snapshot': method({
    summary: 'A name for the chain as it is now, to come back to.',
    group,
    control,
    params: z.strictObject({}),
    result: z.object({ id: z.string() }),
    rest: [],
    freshness: 'live',
    example: { params: {}, result: { id: '1' } },
  }),

  'dev.revert': method({
    summary: 'Undoes everything since a snapshot. The snapshot is used up, and so are all later ones.',
    group,
    control,
    params: z.strictObject({ id: z.string().min(1).max(64) }),
    result: Head,
    rest: [],
    freshness: 'live',
    example: { params: { id: '1' }, result: head },
  }),

  'dev.setAccount': method({
    summary: 'Changes the balance, code or data of an account.',
    group,
    control,
    params: z.strictObject({
      address: Address,
      balance: Coins.optional(),
      code: Boc.optional(),
      data: Boc.optional(),
    }),
    result: Head,
    rest: [],
    freshness: 'live',
    example: { params: { address: ALICE, balance: '5000000000' }, result: head },
  }),

  'dev.sendInternal': method({
    summary: 'Delivers an internal message as if it came from any address.',
    group,
    control,
    params: z.strictObject({
      from: Address,
      to: Address,
      value: Coins,
      body: Boc.optional(),
      bounce: z.boolean().default(true),
    }),
    result: Head,
    rest: [],
    freshness: 'live',
    example: { params: { from: ALICE, to: ALICE, value: '1000000000', bounce: false }, result: head },
  }),

  'dev.setMining': method({
    summary: 'When blocks are made: at once on a message, at an interval, or only when asked.',
    group,
    control,
    params: z.strictObject({ mode: Mining }),
    result: z.object({ mode: Mining }),
    rest: [],
    freshness: 'live',
    example: { params: { mode: 'auto' }, result: { mode: 'auto' } },
  }),

  'dev.state': method({
    summary: 'Head, mining, clock and the well-known accounts with their keys.',
    group,
    control,
    params: z.strictObject({}),
    result: z.object({
      head: BlockIdExt,
      utime: z.int(),
      mining: Mining,
      clock_offset: z.int().meta({ description: "Seconds the chain's clock is ahead of the machine's." }),
      pending: z.int().meta({ description: 'Messages that wait for a block.' }),
      epoch: z.int().meta({ description: 'How often the chain was reverted.' }),
      accounts: z.array(
        z.object({
          name: z.string(),
          kind: z.string(),
          address: z.string(),
          friendly: z.string(),
          publicKey: z.string(),
          mnemonic: z.string(),
          balance: Digits.meta({ description: 'Nanocoins at genesis.' }),
        }),
      ),
    }),
    rest: [],
    freshness: 'live',
    example: {
      params: {},
      result: {
        head: {
          '@type': 'ton.blockIdExt',
          workchain: -1,
          shard: '-9223372036854775808',
          seqno: 7,
          root_hash: '7/j0Uag1MI+IaBJ44Nd3G6eCrG3s9DFK9fw3AOmU65c=',
          file_hash: 'qltlv0gkV5wbim9fp0rgYpBFnTtp2Rrf1aBcL+CqvgY=',
        },
        utime: head.utime,
        mining: 'auto',
        clock_offset: 0,
        pending: 0,
        epoch: 0,
        accounts: [
          {
            name: 'wallet1',
            kind: 'v3r2',
            address: ALICE,
            friendly: 'UQAREREREREREREREREREREREREREREREREREREREREREbXT',
            publicKey: '22'.repeat(32),
            mnemonic: 'twenty four words',
            balance: '1000000000000000',
          },
        ],
      },
    },
  }),
}
