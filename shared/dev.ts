// Control of the embedded chain: what a developer may do to it and nobody can do to a real one. JSON-RPC only, and only
// for callers who may control it.

import { z } from 'zod'
import { Caused, Clock, Head, Mining, State } from './devShapes.ts'
import { method } from './method.ts'
import { Address, Boc, Coins, Digits } from './primitives.ts'

const group = 'control of the embedded chain'
const control = true
const ALICE = '0:1111111111111111111111111111111111111111111111111111111111111111'
const MOST_BLOCKS = 10_000
const MOST_SECONDS = 10 * 366 * 86_400

const HASH = '7/j0Uag1MI+IaBJ44Nd3G6eCrG3s9DFK9fw3AOmU65c='

const Amount = Coins.meta({ description: 'In the smallest units of the jetton: 1000000000 is one.' })

/** Never one that an id could be. */
const Label = z.string().regex(/^(?!0x)[\w.:-]{1,64}$/, '1 to 64 letters, digits and _ . : - that do not begin with 0x')

const head = { seqno: 7, utime: 1_795_165_388 }
const caused = { ...head, tx_hash: HASH, trace_id: HASH, pending: 0 }
const clock = {
  ...head,
  chain_time: head.utime + 10,
  clock_offset: 10,
  note: "The chain's clock is 10 s ahead of this computer's.",
}

export const dev = {
  'dev.faucet': method({
    summary:
      'TON for an account, out of the faucet. Answered when the message is accepted; with mining at auto, when its trace has ended, or after 20 blocks, 256 transactions or 8 s of it.',
    group,
    control,
    params: z.strictObject({ address: Address, amount: Coins.prefault('10000000000') }),
    result: Caused,
    rest: [],
    freshness: 'live',
    example: { params: { address: ALICE, amount: '1000000000' }, result: caused },
  }),

  'dev.jetton': method({
    summary:
      'Some of the demo jetton for an account: minted, the jetton deployed first where it is not there. Answered as dev.faucet.',
    group,
    control,
    params: z.strictObject({ address: Address, amount: Amount.prefault('1000000000') }),
    result: Caused.extend({
      master: z.string().meta({ description: 'The jetton, in raw form.' }),
      wallet: z.string().meta({ description: "The account's wallet of it." }),
    }).meta({ id: 'DevJetton' }),
    rest: [],
    freshness: 'live',
    example: {
      params: { address: ALICE, amount: '5000000000' },
      result: { ...caused, master: `0:${'22'.repeat(32)}`, wallet: `0:${'33'.repeat(32)}` },
    },
  }),

  'dev.nft': method({
    summary:
      'A new item of the demo collection for an account; the collection is deployed first where it is not there. Answered as dev.faucet.',
    group,
    control,
    params: z.strictObject({ address: Address }),
    result: Caused.extend({
      collection: z.string().meta({ description: 'In raw form.' }),
      item: z.string().meta({ description: 'In raw form.' }),
      index: Digits,
    }).meta({ id: 'DevItem' }),
    rest: [],
    freshness: 'live',
    example: {
      params: { address: ALICE },
      result: { ...caused, collection: `0:${'22'.repeat(32)}`, item: `0:${'33'.repeat(32)}`, index: '8' },
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
    warning:
      "Blocks that are made meanwhile keep their times: the chain stays ahead of this computer's clock until that has caught up.",
    params: z.strictObject({ seconds: z.int().min(0).max(MOST_SECONDS) }),
    result: Clock,
    rest: [],
    freshness: 'live',
    example: { params: { seconds: 10 }, result: clock },
  }),

  'dev.setNextBlockTime': method({
    summary: 'Sets the time of the next block, which is not before the newest one; the clock goes on from there.',
    group,
    control,
    warning:
      "Blocks keep the times they are given: the chain stays ahead of this computer's clock until that has caught up.",
    params: z.strictObject({
      utime: z
        .int()
        .min(0)
        .max(2 ** 32 - 1),
    }),
    result: Clock,
    rest: [],
    freshness: 'live',
    example: { params: { utime: clock.chain_time }, result: clock },
  }),

  'dev.resetTime': method({
    summary:
      "Lets the chain's clock be that of this computer again. Time never runs back: blocks keep the time of the newest one until the computer's clock has caught up; dev.revert is the quick way.",
    group,
    control,
    params: z.strictObject({}),
    result: Clock,
    rest: [],
    freshness: 'live',
    example: { params: {}, result: { ...head, chain_time: head.utime, clock_offset: 0, note: 'Both clocks agree.' } },
  }),

  'dev.snapshot': method({
    summary: 'A name for the chain as it is now, to come back to.',
    group,
    control,
    params: z.strictObject({ label: Label.optional() }),
    result: z.object({ id: z.string() }),
    rest: [],
    freshness: 'live',
    example: { params: {}, result: { id: '0x1' } },
  }),

  'dev.snapshots': method({
    summary: 'Snapshots that can be returned to, oldest first.',
    group,
    control,
    params: z.strictObject({}),
    result: z.object({
      snapshots: z.array(
        z.object({
          id: z.string(),
          label: z.string().nullable(),
          seqno: z.int().meta({ description: 'Newest masterchain block when it was taken.' }),
        }),
      ),
    }),
    rest: [],
    freshness: 'live',
    example: { params: {}, result: { snapshots: [{ id: '0x1', label: 'before-sale', seqno: 7 }] } },
  }),

  'dev.revert': method({
    summary: 'Undoes everything since a snapshot. The snapshot is used up, and so are all later ones.',
    group,
    control,
    warning: 'Everything since the snapshot is lost, and so are the snapshots taken later.',
    params: z.strictObject({
      id: z.string().min(1).max(64).meta({ description: 'Of `dev.snapshot`, like `0x1`, or the label it was given.' }),
    }),
    result: Head,
    rest: [],
    freshness: 'live',
    example: { params: { id: '0x1' }, result: head },
  }),

  'dev.setAccount': method({
    summary: 'Changes the balance, code or data of an account.',
    group,
    control,
    warning: 'What the account held before is lost, and no transaction tells of the change.',
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
    result: Caused,
    rest: [],
    freshness: 'live',
    example: { params: { from: ALICE, to: ALICE, value: '1000000000', bounce: false }, result: caused },
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
    result: State,
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
            friendly: '0QAREREREREREREREREREREREREREREREREREREREREREQBc',
            bounceable: 'EQAREREREREREREREREREREREREREREREREREREREREREeYT',
            publicKey: '22'.repeat(32),
            mnemonic: 'twenty four words',
            walletId: 698_983_191,
            balance: '1000000000000000',
          },
        ],
      },
    },
  }),
}
