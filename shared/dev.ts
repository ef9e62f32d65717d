// Control of the embedded chain: what a developer can do to it and to no real network. JSON-RPC only, and only for
// callers who may control it.

import { z } from 'zod'
import { devNames } from './devNames.ts'
import { DevCaused, DevClock, DevHead, Mining, State } from './devShapes.ts'
import { exampleValues } from './exampleValues.ts'
import { method } from './method.ts'
import { LATEST_CLOCK } from './mining.ts'
import { AnyAddress, Boc, Coins, Digits, JettonAmount } from './primitives.ts'

const group = 'control of the embedded chain'
const control = true
const ALICE = '0:1111111111111111111111111111111111111111111111111111111111111111'
const MOST_BLOCKS = 10_000
/** So many take a minute where nothing else runs. */
const MINING_MS = 590_000
/** For the index that follows. */
const REVERTING_MS = 10_000
const MOST_SECONDS = 10 * 366 * 86_400

const HASH = exampleValues.ROOT_HASH

/** Cannot be confused with an id. */
const Label = z.string().regex(/^(?!0x)[\w.:-]{1,64}$/, '1 to 64 letters, digits and _ . : - that do not begin with 0x')
const SnapshotId = z.string().describe('Id to revert to, like `0x1`.')

const WAITS =
  'Returns when the message is accepted; with mining `auto`, when its trace has ended and is in v3, or after 20 blocks, 256 transactions or 8 s.'

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
    summary: 'Sends TON from the faucet to an account.',
    description: WAITS,
    group,
    control,
    params: z.strictObject({
      address: AnyAddress.describe('Account that gets the TON; it need not exist.'),
      amount: Coins.prefault('10000000000').describe('Nanotons; default: 10 TON.'),
    }),
    result: DevCaused,
    rest: [],
    freshness: 'live',
    example: { params: { address: ALICE, amount: '1000000000' }, result: caused },
  }),

  'dev.jetton': method({
    summary: 'Mints the demo jetton for an account.',
    description: `The first call deploys the jetton. ${WAITS}`,
    group,
    control,
    params: z.strictObject({
      address: AnyAddress.describe('Owner that gets the jettons.'),
      amount: JettonAmount.prefault('1000000000'),
    }),
    result: DevCaused.extend({
      master: z.string().meta({ description: 'The jetton master, raw form.' }),
      wallet: z.string().meta({ description: 'Jetton wallet of the account, raw form.' }),
    }).meta({ id: 'DevJetton', description: 'What was minted and where.' }),
    rest: [],
    freshness: 'live',
    example: {
      params: { address: ALICE, amount: '5000000000' },
      result: { ...caused, master: `0:${'22'.repeat(32)}`, wallet: `0:${'33'.repeat(32)}` },
    },
  }),

  'dev.nft': method({
    summary: 'Mints an item of the demo NFT collection for an account.',
    description: `The first call deploys the collection. ${WAITS}`,
    group,
    control,
    params: z.strictObject({ address: AnyAddress.describe('Owner that gets the item.') }),
    result: DevCaused.extend({
      collection: z.string().describe('Address of the collection, raw form.'),
      item: z.string().describe('Address of the item, raw form.'),
      index: Digits.describe('Number of the item in the collection.'),
    }).meta({ id: 'DevItem', description: 'The item that was minted.' }),
    rest: [],
    freshness: 'live',
    example: {
      params: { address: ALICE },
      result: { ...caused, collection: `0:${'22'.repeat(32)}`, item: `0:${'33'.repeat(32)}`, index: '8' },
    },
  }),

  'dev.mine': method({
    summary: 'Makes masterchain blocks now.',
    description:
      'Each carries the messages that are pending. Thousands take seconds, on a busy machine minutes; the index may follow after.',
    group,
    control,
    params: z.strictObject({ blocks: z.int().min(1).max(MOST_BLOCKS).default(1).describe('How many.') }),
    result: DevHead,
    rest: [],
    freshness: 'live',
    waitMs: MINING_MS,
    example: { params: { blocks: 1 }, result: head },
  }),

  'dev.increaseTime': method({
    summary: 'Moves the clock of the chain forward.',
    description:
      'No block is made: the next one has the new time, in which waiting messages may have expired. For vesting, auctions and expiry without waiting.',
    group,
    control,
    warning:
      "Blocks made before dev.resetTime keep their times: the chain stays ahead until this computer's clock catches up.",
    params: z.strictObject({ seconds: z.int().min(0).max(MOST_SECONDS).describe('How far, at most 10 years.') }),
    result: DevClock,
    rest: [],
    freshness: 'live',
    example: { params: { seconds: 10 }, result: clock },
  }),

  'dev.setNextBlockTime': method({
    summary: 'Sets the time of the next block.',
    description: 'The clock continues from there. A time before the newest block is refused.',
    group,
    control,
    warning: "Blocks keep the times they are given: the chain stays ahead until this computer's clock catches up.",
    params: z.strictObject({
      utime: z.int().min(0).max(LATEST_CLOCK).describe('Unix seconds, up to the year 2105.'),
    }),
    result: DevClock,
    rest: [],
    freshness: 'live',
    example: { params: { utime: clock.chain_time }, result: clock },
  }),

  'dev.resetTime': method({
    summary: "Sets the clock of the chain back to this computer's.",
    description:
      "Block times never decrease: blocks keep the time of the newest one until this computer's clock catches up. dev.revert to an earlier snapshot does it at once.",
    group,
    control,
    params: z.strictObject({}),
    result: DevClock,
    rest: [],
    freshness: 'live',
    example: { params: {}, result: { ...head, chain_time: head.utime, clock_offset: 0, note: 'Both clocks agree.' } },
  }),

  'dev.snapshot': method({
    summary: 'Takes a snapshot of the chain as it is now.',
    description:
      'Cheap: nothing is copied. dev.revert returns to it; typically one for each test. A chain has up to 10,000.',
    group,
    control,
    params: z.strictObject({ label: Label.optional().describe('Name to revert by instead of the id.') }),
    result: z.object({ id: SnapshotId }),
    rest: [],
    freshness: 'live',
    example: { params: {}, result: { id: '0x1' } },
  }),

  'dev.snapshots': method({
    summary: 'Snapshots, oldest first.',
    description: 'Those that dev.revert accepts: it removes the one it used and all later ones.',
    group,
    control,
    params: z.strictObject({}),
    result: z.object({
      snapshots: z
        .array(
          z.object({
            id: SnapshotId,
            label: z.string().nullable().describe('Name it was given; null without.'),
            seqno: z.int().describe('Seqno of the newest masterchain block when it was taken.'),
          }),
        )
        .describe('Oldest first.'),
    }),
    rest: [],
    freshness: 'live',
    example: { params: {}, result: { snapshots: [{ id: '0x1', label: 'before-sale', seqno: 7 }] } },
  }),

  'dev.revert': method({
    summary: 'Undoes everything since a snapshot.',
    description:
      'Removes the snapshot and all later ones: take it again to return a second time. Returns when the index has followed.',
    group,
    control,
    warning: 'Everything since the snapshot is lost, and so are the snapshots taken later.',
    params: z.strictObject({
      id: z.string().min(1).max(64).meta({ description: 'Id of a snapshot, like `0x1`, or its label.' }),
    }),
    result: DevHead,
    rest: [],
    freshness: 'live',
    waitMs: REVERTING_MS,
    example: { params: { id: '0x1' }, result: head },
  }),

  'dev.setAccount': method({
    summary: 'Sets the balance, code or data of an account.',
    description:
      'What is absent stays as it is. No transaction records the change, so the history of v3 does not show it.',
    group,
    control,
    warning: 'The previous balance, code or data is lost, and no transaction records the change.',
    params: z.strictObject({
      address: AnyAddress.describe('Account to change; it need not exist.'),
      balance: Coins.optional().describe('New balance, nanotons.'),
      code: Boc.optional().describe('New code, base64 BoC.'),
      data: Boc.optional().describe('New data, base64 BoC.'),
    }),
    result: DevHead,
    rest: [],
    freshness: 'live',
    example: { params: { address: ALICE, balance: '5000000000' }, result: head },
  }),

  'dev.sendInternal': method({
    summary: 'Delivers an internal message from any address.',
    description: `The sender is not charged and need not exist: to test how a contract reacts to others. ${WAITS}`,
    group,
    control,
    params: z.strictObject({
      from: AnyAddress.describe('Sender of the message.'),
      to: AnyAddress.describe('Recipient of the message.'),
      value: Coins.describe('Nanotons the message carries.'),
      body: Boc.optional().describe('Body, base64 BoC; default: empty.'),
      init: Boc.optional().describe('State init that deploys the recipient, base64 BoC; default: none.'),
      bounce: z.boolean().default(true).describe('Whether a message that fails is sent back.'),
    }),
    result: DevCaused,
    rest: [],
    freshness: 'live',
    example: { params: { from: ALICE, to: ALICE, value: '1000000000', bounce: false }, result: caused },
  }),

  'dev.setMining': method({
    summary: 'Sets when blocks are made.',
    description: '`auto`: when a message arrives; a time: at that interval; `manual`: only by dev.mine.',
    group,
    control,
    params: z.strictObject({ mode: Mining }),
    result: z.object({ mode: Mining }),
    rest: [],
    freshness: 'live',
    example: { params: { mode: 'auto' }, result: { mode: 'auto' } },
  }),

  ...devNames,

  'dev.state': method({
    summary: 'State of the embedded chain and its test accounts with their keys.',
    description: 'The keys are published: use them on no public network.',
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
          root_hash: exampleValues.ROOT_HASH,
          file_hash: exampleValues.FILE_HASH,
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
