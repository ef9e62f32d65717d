// A block of the basechain, from the first thing it does to the last.

import { configParam, gramsOnly, ZERO_CURRENCY } from '../../tlb/index.ts'
import { BASECHAIN, type ChainState, type MasterState } from '../state/index.ts'
import { Draft, type Workshop } from './blockDraft.ts'
import { registeredShard, shardValidators } from './master/index.ts'
import {
  deliverCreated,
  deliverInjected,
  type External,
  type ExternalOutcome,
  importMessages,
  removeDelivered,
  runExternals,
} from './messages/index.ts'
import { Pacer } from './pacer.ts'
import { alignLt, type BlockPlan, type BlockWork } from './plan.ts'
import { seal } from './seal.ts'
import type { SealedBlock } from './sealed.ts'

export interface Collated {
  readonly block: SealedBlock
  readonly outcomes: ReadonlyMap<External, ExternalOutcome>
}

/** What both kinds of block are made of. */
export interface CollationParts {
  readonly utime: number
  readonly randSeed: Uint8Array
  readonly work: BlockWork
}

/** Makes the next block of the basechain, over the newest masterchain state. */
export async function collateShard(
  shop: Workshop,
  { previous, master }: { readonly previous: ChainState; readonly master: MasterState },
  { utime, randSeed, work }: CollationParts,
): Promise<Collated> {
  const catchainSeqno = registeredShard(master)?.nextCatchainSeqno ?? 0
  const plan: BlockPlan = {
    workchain: BASECHAIN,
    previous,
    master,
    neighbour: master,
    catchainSeqno,
    validators: shardValidators(master.extra.config, catchainSeqno),
    utime,
    startLt: alignLt(master.lt > previous.lt ? master.lt : previous.lt),
    randSeed,
  }
  const draft = new Draft(plan, shop, new Pacer())
  await shop.machine.begin(plan)
  removeDelivered(draft)
  draft.patch(work.patches)
  await deliverInjected(draft, work.injected)
  if (work.isPatchesOnly !== true) await importMessages(draft, work)
  const imported = draft.transactions
  const outcomes = await runExternals(draft, work.externals)
  const taken = draft.transactions - imported
  const isWhole = await deliverCreated(draft)
  shop.intake?.took(taken, draft.transactions - imported + draft.queued, isWhole)
  const created = gramsOnly(configParam(master.extra.config, 14)?.basechain ?? 0n)
  const block = await seal(draft, {
    accounts: await draft.accounts.writeBack(draft.pacer),
    libraries: previous.details.libraries,
    amounts: { feesImported: ZERO_CURRENCY, recovered: ZERO_CURRENCY, created },
    master: null,
  })
  return { block, outcomes }
}
