// One step: a block of the basechain over the newest masterchain state, then the masterchain block that registers it.

import { createHash } from 'node:crypto'
import {
  type BlockWork,
  collateMaster,
  collateShard,
  type External,
  type ExternalOutcome,
  masterValidators,
  NO_WORK,
  type SealedBlock,
  type Workshop,
} from '../collate/index.ts'
import type { JournalBlock } from '../journal/index.ts'
import {
  type BASECHAIN,
  type BlockIdExt,
  type ChainState,
  type MASTERCHAIN,
  type Moment,
  readMasterState,
  readState,
  type ValidatorKeys,
  type ValidatorSignature,
} from '../state/index.ts'

export interface StepWork {
  readonly shard: BlockWork
  readonly master: BlockWork
  /** Whether all of it must go into these blocks, without a limit of time. */
  readonly isWhole?: boolean
  /** Whether only as many external messages are taken as fit together with the messages they cause. */
  readonly isPaced?: boolean
  /** Tighter limits than those of the configuration. */
  readonly limits?: Workshop['limits']
}

const NO_LIMITS: Workshop['limits'] = {
  maxTransactions: Number.MAX_SAFE_INTEGER,
  maxMs: Number.POSITIVE_INFINITY,
  isUnbounded: true,
}

export const NOTHING_TO_DO: StepWork = { shard: NO_WORK, master: NO_WORK }

/** What stays the same from step to step. */
export interface StepTools {
  readonly shop: Workshop
  readonly keys: ValidatorKeys
  /** 32 bytes the randomness of blocks is derived from. */
  readonly seed: Uint8Array
  readonly baseZerostate: BlockIdExt
}

export interface MadeStep {
  readonly master: SealedBlock
  readonly shard: SealedBlock | null
  readonly signatures: readonly ValidatorSignature[]
  readonly after: Moment
  readonly outcomes: ReadonlyMap<External, ExternalOutcome>
}

/** The same chain, seed and history give the same blocks; a chain that was reverted goes another way. */
function randSeedFor({ seed }: StepTools, { id }: ChainState, epoch: number): Uint8Array {
  const numbers = Buffer.alloc(12)
  numbers.writeInt32BE(id.workchain)
  numbers.writeUInt32BE(id.seqno + 1, 4)
  numbers.writeUInt32BE(epoch, 8)
  return new Uint8Array(createHash('sha256').update(seed).update(numbers).update(id.rootHash).digest())
}

/** By the validators that were in charge before the block. */
function signed({ keys, shop }: StepTools, { master }: Moment, block: BlockIdExt): readonly ValidatorSignature[] {
  const validators = masterValidators(master.extra.config, master.master.validatorInfo.catchainSeqno)
  // Said once for a set, in the block after the one that installs it.
  if (master.master.afterKeyBlock && !keys.suffice(validators))
    shop.warn('Validators elected whose keys the chain does not hold: light clients refuse its next blocks', {
      ours: keys.among(validators).length,
      elected: validators.length,
    })
  return keys.sign(block, validators)
}

/** Makes a step at a time no earlier than either chain's. The first step has no block of the basechain. */
export async function makeStep(
  tools: StepTools,
  before: Moment,
  { work, utime, epoch }: { readonly work: StepWork; readonly utime: number; readonly epoch: number },
): Promise<MadeStep> {
  const shop = {
    ...tools.shop,
    limits: work.isWhole === true ? NO_LIMITS : (work.limits ?? tools.shop.limits),
    intake: work.isPaced === true ? tools.shop.intake : null,
  }
  const parts = (previous: ChainState, blockWork: BlockWork) => ({
    utime,
    randSeed: randSeedFor(tools, previous, epoch),
    work: blockWork,
  })
  const shard =
    before.master.id.seqno === 0
      ? null
      : await collateShard(shop, { previous: before.shard, master: before.master }, parts(before.shard, work.shard))
  const shardState = shard === null ? before.shard : readState(shard.block.state, shard.block.id)
  const master = await collateMaster(
    shop,
    { previous: before.master, shard: shardState, top: shard?.block ?? null, baseZerostate: tools.baseZerostate },
    parts(before.master, work.master),
  )
  return {
    master: master.block,
    shard: shard?.block ?? null,
    signatures: signed(tools, before, master.block.id),
    after: { master: readMasterState(master.block.state, master.block.id), shard: shardState },
    outcomes: new Map([...(shard?.outcomes ?? []), ...master.outcomes]),
  }
}

export const factsOf = ({ id, startLt, endLt, utime, isKey, transactions }: SealedBlock): JournalBlock => ({
  id,
  startLt,
  endLt,
  utime,
  isKey,
  transactions,
})

/** The part of the work that is for one of the chains. */
export const workFor = (all: BlockWork, workchain: typeof MASTERCHAIN | typeof BASECHAIN): BlockWork => ({
  externals: all.externals.filter((external) => external.workchain === workchain),
  patches: all.patches.filter((patch) => patch.workchain === workchain),
  injected: all.injected.filter(({ to }) => to.workchain === workchain),
  ...(all.isPatchesOnly === undefined ? {} : { isPatchesOnly: all.isPatchesOnly }),
})
