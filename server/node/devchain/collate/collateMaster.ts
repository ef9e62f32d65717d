// A block of the masterchain, from the first thing it does to the last. It registers the newest block of the basechain.

import { addCurrency, type CurrencyCollection, configParam, gramsOnly, ZERO_CURRENCY } from '../../../tlb/index.ts'
import { type BlockIdExt, type ChainState, MASTERCHAIN, type MasterState } from '../state/index.ts'
import type { Collated, CollationParts } from './collateShard.ts'
import { Draft, type Workshop } from './draft.ts'
import { endMaster, registeredShard, registerShard, updateLibraries } from './master/index.ts'
import {
  deliverCreated,
  deliverInjected,
  enqueueRest,
  importMessages,
  payRecovered,
  removeDelivered,
  runExternals,
  wakeSpecialAccounts,
} from './messages/index.ts'
import { Pacer } from './pacer.ts'
import { alignLt, type BlockPlan } from './plan.ts'
import { seal } from './seal.ts'
import type { SealedBlock } from './sealed.ts'

/** Fees are paid out once they come to this much. */
const WORTH_PAYING = 1_000_000_000n

export interface MasterBase {
  readonly previous: MasterState
  /** The newest state of the basechain. */
  readonly shard: ChainState
  /** Its block, unless it is registered already. */
  readonly top: SealedBlock | null
  readonly baseZerostate: BlockIdExt
}

/** Makes the next block of the masterchain. */
export async function collateMaster(shop: Workshop, base: MasterBase, parts: CollationParts): Promise<Collated> {
  const { previous, shard, top } = base
  const plan: BlockPlan = {
    workchain: MASTERCHAIN,
    previous,
    master: previous,
    neighbour: shard,
    shardCatchainSeqno: registeredShard(previous)?.nextCatchainSeqno ?? 0,
    utime: parts.utime,
    startLt: alignLt(top !== null && top.endLt > previous.lt ? top.endLt : previous.lt),
    randSeed: parts.randSeed,
  }
  const draft = new Draft(plan, shop, new Pacer())
  const { config } = previous.extra
  const registration = registerShard(previous, top, base.baseZerostate)
  const feesImported = registration.fees.extra?.fees ?? ZERO_CURRENCY
  const created = gramsOnly(configParam(config, 14)?.masterchain ?? 0n)
  const collector = configParam(config, 3) ?? configParam(config, 1)
  const due = [created, feesImported].reduce(addCurrency, previous.details.totalValidatorFees)
  const recovered = collector !== null && due.grams >= WORTH_PAYING ? due : ZERO_CURRENCY

  shop.machine.begin(plan)
  removeDelivered(draft)
  draft.patch(parts.work.patches)
  await wakeSpecialAccounts(draft, 'tick')
  const recoverCreate = recovered === due && collector !== null ? await payRecovered(draft, recovered, collector) : null
  await deliverInjected(draft, parts.work.injected)
  const everythingImported = await importMessages(draft)
  const outcomes = await runExternals(draft, parts.work.externals)
  await deliverCreated(draft, everythingImported)
  await wakeSpecialAccounts(draft, 'tock')
  enqueueRest(draft)

  const accounts = draft.accounts.writeBack()
  const ending = endMaster(draft, previous, {
    accounts,
    registration,
    hasShardBlock: top !== null,
    creator: parts.creator,
    newFunds: newFunds(draft, created, top),
  })
  const block = await seal(draft, {
    accounts,
    libraries: draft.usage.run(() => updateLibraries(draft)),
    amounts: { feesImported, recovered, created },
    master: { ending, registration, recoverCreate },
    creator: parts.creator,
  })
  return { block, outcomes }
}

/** How much the money of all chains grows with this block and the shard block it registers. */
function newFunds(draft: Draft, created: CurrencyCollection, top: SealedBlock | null): CurrencyCollection {
  const byHand = draft.minted.grams - draft.burned.grams + (top?.conjured ?? 0n)
  return addCurrency(gramsOnly(created.grams + byHand), top?.fundsCreated ?? ZERO_CURRENCY)
}
