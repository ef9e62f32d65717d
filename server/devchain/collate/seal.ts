// Ends a block: its draft becomes cells, and the cells become a file that its id names.

import {
  Builder,
  buildDict,
  type Cell,
  emptyDict,
  hashing,
  hashToBytes,
  makingUpdate,
  sha256,
  writingBoc,
} from '../../cell/index.ts'
import { validatorListHash } from '../../node/index.ts'
import {
  type BlockInfo,
  configParam,
  dictCell,
  type ExtBlockRef,
  FULL_SHARD,
  inMsgKind,
  outMsgKind,
  type ShardState,
  signaturesKind,
  storeBlock,
  storeBlockExtra,
  storeBlockInfo,
  storeMasterBlockExtra,
  storeOutQueueInfo,
  storeShardState,
  storeShardStateDetails,
  storeValueFlow,
  toCell,
  type ValueFlow,
} from '../../tlb/index.ts'
import { NODE_BOC } from '../genesis/index.ts'
import { type Accounts, type BlockIdExt, blockRef, workchainIdent } from '../state/index.ts'
import type { Draft } from './blockDraft.ts'
import { checkBlockSize } from './blockSize.ts'
import type { LibraryDict, MasterEnding, Registration } from './master/index.ts'
import { endQueue } from './messages/index.ts'
import { creatorOf } from './plan.ts'
import type { SealedBlock } from './sealed.ts'
import { type Amounts, type Descriptors, validatorFeesAfter, valueFlowOf } from './valueFlow.ts'

/** What only a masterchain block has. */
export interface MasterParts {
  readonly ending: MasterEnding
  readonly registration: Registration
  readonly recoverCreate: Cell | null
}

export interface SealParts {
  readonly accounts: Accounts
  readonly libraries: LibraryDict
  readonly amounts: Amounts
  /** Null in the basechain. */
  readonly master: MasterParts | null
}

const CAP_REPORT_VERSION = 8n
const U64 = (1n << 64n) - 1n
/** A block with fewer transactions is underloaded. */
const UNDERLOADED = 10

/** Makes the block. Throws when the TON that leaves it is not what came in. */
export async function seal(draft: Draft, parts: SealParts): Promise<SealedBlock> {
  const { plan, pacer } = draft
  const descriptors = await describe(draft)
  const flow = valueFlowOf(draft, parts, descriptors)
  await pacer.restBeforeMore()
  const { state, minRefMcSeqno } = makeState(draft, parts, flow)
  await pacer.restBeforeMore()
  recordHead(draft)
  const update = await pacer.through(makingUpdate(plan.previous.root, state, draft.usage, shown(draft)))
  await pacer.restBeforeMore()
  const block = {
    globalId: plan.previous.globalId,
    info: toCell(blockInfo(draft, parts, minRefMcSeqno), storeBlockInfo),
    valueFlow: toCell(flow, storeValueFlow),
    stateUpdate: update,
    extra: blockExtra(draft, parts, descriptors),
  }
  const root = toCell(block, storeBlock)
  await pacer.through(hashing(root))
  await pacer.restIfDue()
  const boc = await pacer.through(writingBoc(root, NODE_BOC))
  checkBlockSize(boc)
  // What follows, the other chain's block or the way to the disk, begins with a slice of its own.
  await pacer.restBeforeMore()
  return {
    id: nameOf(draft, root, boc),
    root,
    boc,
    state,
    utime: plan.utime,
    startLt: plan.startLt,
    endLt: draft.endLt,
    minRefMcSeqno,
    creator: creatorOf(plan),
    isKey: parts.master?.ending.isKey ?? false,
    transactions: draft.transactions,
    feesCollected: flow.feesCollected,
    fundsCreated: flow.created,
    conjured: draft.conjured,
  }
}

/** Marks the upper cells of the old state as read: they are always replaced. */
function recordHead({ plan, usage, isMaster }: Draft): void {
  const { root } = plan.previous
  usage.visited.add(root)
  for (const part of root.refs) usage.visited.add(part)
  const custom = root.refs.at(-1)
  if (isMaster && custom !== undefined) for (const part of custom.refs) usage.visited.add(part)
}

/** Readers of the masterchain's state unpack its inner part at once and fail on a hole there. */
function* shown({ plan, isMaster, accounts }: Draft): Generator<Cell> {
  if (isMaster) yield plan.master.extra.details
  yield* accounts.shown()
}

/** The three dictionaries of a block; the long part of making it. */
async function describe(draft: Draft): Promise<Descriptors> {
  const { pacer } = draft
  const inMsgs = buildDict(inMsgKind, draft.inMsgs)
  await pacer.restIfDue()
  const outMsgs = buildDict(outMsgKind, draft.outMsgs)
  await pacer.restIfDue()
  const accountBlocks = await pacer.through(draft.accounts.makingBlocks())
  await pacer.restIfDue()
  return { inMsgs, outMsgs, accountBlocks }
}

function nameOf({ plan }: Draft, root: Cell, boc: Uint8Array): BlockIdExt {
  const { workchain, previous } = plan
  const fileHash = hashToBytes(sha256(boc))
  return { workchain, shard: FULL_SHARD, seqno: previous.id.seqno + 1, rootHash: root.hashBytes(), fileHash }
}

/** The masterchain block a shard block refers to. */
const masterRefOf = ({ isMaster, plan }: Draft): ExtBlockRef | null =>
  isMaster ? null : blockRef(plan.master.id, plan.master.lt)

function makeState(draft: Draft, parts: SealParts, flow: ValueFlow): { state: Cell; minRefMcSeqno: number } {
  const { plan, transactions } = draft
  const { previous } = plan
  const seqno = previous.id.seqno + 1
  const reference = draft.isMaster ? seqno : plan.master.id.seqno
  const queue = endQueue(draft, reference)
  const referred = [reference, ...queue.marks.map((mark) => mark.mcSeqno)]
  if (parts.master !== null) referred.push(parts.master.ending.shard.minRefMcSeqno)
  const minRefMcSeqno = Math.min(...referred)
  const isFull = transactions >= draft.shop.limits.maxTransactions || !draft.load.fits('soft', draft.endLt)
  const shifted = (history: bigint, bit: boolean) => ((history << 1n) | (bit ? 1n : 0n)) & U64
  const details = {
    overloadHistory: shifted(previous.details.overloadHistory, isFull),
    underloadHistory: shifted(previous.details.underloadHistory, transactions < UNDERLOADED),
    totalBalance: flow.toNext,
    totalValidatorFees: validatorFeesAfter(previous, flow),
    libraries: parts.libraries,
    masterRef: masterRefOf(draft),
  }
  const state: ShardState = {
    globalId: previous.globalId,
    shard: workchainIdent(plan.workchain),
    seqno,
    vertSeqno: 0,
    genUtime: plan.utime,
    genLt: draft.endLt,
    minRefMcSeqno,
    outQueueInfo: toCell(queue.info, storeOutQueueInfo),
    beforeSplit: false,
    accounts: dictCell(parts.accounts),
    details: toCell(details, storeShardStateDetails),
    custom: parts.master?.ending.stateExtra ?? null,
  }
  return { state: toCell(state, storeShardState), minRefMcSeqno }
}

function blockInfo(draft: Draft, { master }: SealParts, minRefMcSeqno: number): BlockInfo {
  const { plan } = draft
  const { config } = plan.master.extra
  const { catchainSeqno, validators } = plan
  const software = configParam(config, 8)
  return {
    version: 0,
    beforeSplit: false,
    afterSplit: false,
    wantSplit: false,
    wantMerge: false,
    keyBlock: master?.ending.isKey ?? false,
    seqno: plan.previous.id.seqno + 1,
    vertSeqno: 0,
    shard: workchainIdent(plan.workchain),
    genUtime: plan.utime,
    startLt: plan.startLt,
    endLt: draft.endLt,
    validatorListHashShort: validatorListHash(validators, catchainSeqno),
    catchainSeqno,
    minRefMcSeqno,
    prevKeyBlockSeqno: lastKeySeqno(draft),
    software: software !== null && (software.capabilities & CAP_REPORT_VERSION) !== 0n ? software : null,
    masterRef: masterRefOf(draft),
    previous: [blockRef(plan.previous.id, plan.previous.lt)],
    previousVertical: null,
  }
}

/** The last key block the masterchain state referred to knows of, itself included. */
function lastKeySeqno({ plan }: Draft): number {
  const { id, master } = plan.master
  return master.afterKeyBlock ? id.seqno : (master.lastKeyBlock?.seqno ?? 0)
}

function blockExtra(draft: Draft, { master }: SealParts, descriptors: Descriptors): Cell {
  const custom =
    master === null
      ? null
      : storeMasterBlockExtra(new Builder(), {
          shardHashes: master.ending.shardHashes,
          shardFees: master.registration.fees,
          previousSignatures: emptyDict(signaturesKind),
          recoverCreate: master.recoverCreate,
          mint: null,
          config: master.ending.isKey ? master.ending.config : null,
        }).end()
  const extra = {
    inMsgs: dictCell(descriptors.inMsgs),
    outMsgs: dictCell(descriptors.outMsgs),
    accountBlocks: dictCell(descriptors.accountBlocks),
    randSeed: draft.plan.randSeed,
    createdBy: creatorOf(draft.plan),
    custom,
  }
  return toCell(extra, storeBlockExtra)
}
