// A block of the masterchain, from the first thing it does to the last. It registers the newest block of the basechain.

import { addCurrency, type CurrencyCollection, configParam, gramsOnly, ZERO_CURRENCY } from '../../tlb/index.ts'
import { type BlockIdExt, type ChainState, MASTERCHAIN, type MasterState } from '../state/index.ts'
import { Draft, type Workshop } from './blockDraft.ts'
import type { Collated, CollationParts } from './collateShard.ts'
import { endMaster, masterValidators, type Registration, registerShard, updatingLibraries } from './master/index.ts'
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
import { alignLt, type BlockPlan, creatorOf } from './plan.ts'
import { seal } from './seal.ts'
import type { SealedBlock } from './sealed.ts'
import type { Amounts } from './valueFlow.ts'

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

function planMaster({ previous, shard, top }: MasterBase, { utime, randSeed }: CollationParts): BlockPlan {
  const { catchainSeqno } = previous.master.validatorInfo
  return {
    workchain: MASTERCHAIN,
    previous,
    master: previous,
    neighbour: shard,
    catchainSeqno,
    validators: masterValidators(previous.extra.config, catchainSeqno),
    utime,
    startLt: alignLt(top !== null && top.endLt > previous.lt ? top.endLt : previous.lt),
    randSeed,
  }
}

interface MasterFees {
  readonly amounts: Amounts
  /** The account recovered fees are paid to; null when they are too little, or there is no such account. */
  readonly collector: Uint8Array | null
}

function feesOf({ extra, details }: MasterState, { fees }: Registration): MasterFees {
  const feesImported = fees.extra?.fees ?? ZERO_CURRENCY
  const created = gramsOnly(configParam(extra.config, 14)?.masterchain ?? 0n)
  const due = [created, feesImported].reduce(addCurrency, details.totalValidatorFees)
  const collector = configParam(extra.config, 3) ?? configParam(extra.config, 1)
  const isPaid = collector !== null && due.grams >= WORTH_PAYING
  const amounts = { feesImported, created, recovered: isPaid ? due : ZERO_CURRENCY }
  return { amounts, collector: isPaid ? collector : null }
}

/** Makes the next block of the masterchain. */
export async function collateMaster(shop: Workshop, base: MasterBase, parts: CollationParts): Promise<Collated> {
  const { previous, top } = base
  const { work } = parts
  const plan = planMaster(base, parts)
  const draft = new Draft(plan, shop, new Pacer())
  const registration = registerShard(previous, top, base.baseZerostate)
  const { amounts, collector } = feesOf(previous, registration)

  await shop.machine.begin(plan)
  removeDelivered(draft)
  draft.patch(work.patches)
  await wakeSpecialAccounts(draft, 'tick')
  const recoverCreate = collector === null ? null : await payRecovered(draft, amounts.recovered, collector)
  await deliverInjected(draft, work.injected)
  if (work.isPatchesOnly !== true) await importMessages(draft, work)
  const outcomes = await runExternals(draft, work.externals)
  await deliverCreated(draft)
  await wakeSpecialAccounts(draft, 'tock')
  enqueueRest(draft)

  const accounts = await draft.accounts.writeBack(draft.pacer)
  const libraries = await draft.pacer.through(updatingLibraries(draft))
  const creators = { master: creatorOf(plan), shard: top?.creator ?? null }
  const funds = newFunds(draft, amounts.created, top)
  const ending = endMaster(draft, previous, { accounts, registration, creators, newFunds: funds })
  const master = { ending, registration, recoverCreate }
  return { block: await seal(draft, { accounts, libraries, amounts, master }), outcomes }
}

/** How much the money of all chains grows with this block and the shard block it registers. */
function newFunds(draft: Draft, created: CurrencyCollection, top: SealedBlock | null): CurrencyCollection {
  const ofShard = [top?.fundsCreated ?? ZERO_CURRENCY, top?.conjured ?? ZERO_CURRENCY]
  return [created, draft.conjured, ...ofShard].reduce(addCurrency)
}
