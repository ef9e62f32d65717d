// Proofs between masterchain blocks: back to any older block by the state's list of blocks, forward from a key block by
// signatures of its validators.

import { openCell } from '../../cell/index.ts'
import {
  type BackLink,
  type BlockIdExt,
  type BlockLink,
  type BlockProofAnswer,
  chainParts,
  type ForwardLink,
  fullBlockText,
  isSameBlock,
  LiteError,
  MASTERCHAIN,
} from '../../node/index.ts'
import { blockInfoOf, type ConfigParams, loadBlock } from '../../tlb/index.ts'
import type { ChainSource, Located } from './chainSource.ts'
import { checkBlockId } from './checkQuery.ts'
import { keyBlockAt } from './config.ts'
import {
  blockProofBoc,
  keepAll,
  NO_PROOF,
  openMaster,
  openMasterExtra,
  openZerostate,
  proveBlock,
  proveDetails,
  proveState,
  toBoc,
} from './proofs.ts'

const MOST_STEPS = 16
/** Catchain parameters and the two forms of the current validators. */
const VALIDATOR_PARAMS = [28, 34, 35] as const

function openValidators(config: ConfigParams | null): void {
  for (const number of VALIDATOR_PARAMS) keepAll(config?.params.get(number) ?? null)
}

const isKey = ({ facts }: Located): boolean => facts === null || facts.isKey

const destination = async (source: ChainSource, to: Located): Promise<Uint8Array> =>
  to.facts === null ? NO_PROOF : await source.headerProof(to)

async function back(source: ChainSource, from: Located, to: Located): Promise<BackLink> {
  const proven = await proveDetails(source, from, (details) => {
    openZerostate(from.id.seqno, details)
    details.previousBlocks.get(to.id.seqno)
  })
  return {
    kind: 'back',
    toKeyBlock: isKey(to),
    from: from.id,
    to: to.id,
    destProof: await destination(source, to),
    proof: blockProofBoc(proven),
    stateProof: toBoc(proven.stateProof),
  }
}

async function configProof(source: ChainSource, from: Located): Promise<Uint8Array> {
  const root = await source.root(from)
  if (from.facts === null)
    return toBoc(proveState(root, (state) => openValidators(openMaster(state).extra.config)).proof)
  return toBoc(proveBlock(root, (block) => openValidators(openMasterExtra(block).config)))
}

async function forward(source: ChainSource, from: Located, to: Located): Promise<ForwardLink> {
  const { signatures } = await source.block(to)
  if (signatures.length === 0) throw new LiteError('failed', 'the block is not signed')
  const info = blockInfoOf(loadBlock(openCell(await source.blockRoot(to))))
  return {
    kind: 'forward',
    toKeyBlock: isKey(to),
    from: from.id,
    to: to.id,
    destProof: await destination(source, to),
    configProof: await configProof(source, from),
    signatures: {
      kind: 'ordinary',
      validatorSetHash: info.validatorListHashShort,
      catchainSeqno: info.catchainSeqno,
      signatures,
    },
  }
}

/** The first key block after a seqno, up to and including another. */
function nextKeyBlock({ reader }: ChainSource, after: number, until: number): number | null {
  const seqno = reader.keyAfter(after)
  return seqno !== undefined && seqno <= until ? seqno : null
}

/** One step from a block towards another, over all key blocks up to the reference. */
async function step(source: ChainSource, at: Located, { target, reference }: Omit<Way, 'from'>): Promise<BlockLink> {
  if (target.id.seqno < at.id.seqno) return back(source, at, target)
  const key = await keyBlockAt(source, at)
  if (key.id.seqno < at.id.seqno) return back(source, at, key)
  const next = nextKeyBlock(source, at.id.seqno, reference.id.seqno) ?? target.id.seqno
  return forward(source, at, source.at(MASTERCHAIN, next))
}

/** An end of the chain of steps. Throws LiteError `badQuery` with the text by which clients see that blocks were undone. */
function endOf(source: ChainSource, id: BlockIdExt, end: 'source' | 'destination'): Located {
  if (id.workchain !== MASTERCHAIN)
    throw new LiteError('badQuery', `${end} block ${fullBlockText(id)} is not a valid masterchain block id`)
  checkBlockId(id)
  const head = source.chain.head().master.id
  const found = id.seqno > head.seqno ? null : source.find(id)
  if (found !== null) return found
  const name = fullBlockText(id)
  const fault =
    id.seqno > head.seqno
      ? `client knows block ${name} newer than the reference masterchain block ${fullBlockText(head)}`
      : `proof ${end} masterchain block ${name} is unknown from the perspective of reference block ${fullBlockText(head)}`
  throw new LiteError('badQuery', fault)
}

/** The blocks a proof depends on: with the same ones its steps are the same. */
interface Way {
  readonly from: Located
  readonly target: Located
  /** The state that lists the key blocks. */
  readonly reference: Located
}

/**
 * As the node has it: as long as the newest block is the reference, a key block after the target lies on the way, and the
 * last step leads back from it. Throws LiteError for blocks that are not there.
 */
export function wayBetween(source: ChainSource, known: BlockIdExt, wanted: BlockIdExt | null, mode: number): Way {
  const from = endOf(source, known, 'source')
  const head = source.locateMaster(source.chain.head().master.id)
  if (wanted === null) return { from, target: head, reference: head }
  const target = endOf(source, wanted, 'destination')
  if ((mode & chainParts.nearReference) === 0) return { from, target, reference: head }
  return { from, target, reference: target.id.seqno > from.id.seqno ? target : from }
}

export async function proveWay(source: ChainSource, way: Way): Promise<BlockProofAnswer> {
  const { from, target } = way
  const steps: BlockLink[] = []
  let at = from
  while (!isSameBlock(at.id, target.id) && steps.length < MOST_STEPS) {
    const link = await step(source, at, way)
    steps.push(link)
    at = source.locate(link.to)
  }
  return { complete: isSameBlock(at.id, target.id), from: from.id, to: at.id, steps }
}
