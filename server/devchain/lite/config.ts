// The configuration as of a masterchain block, out of its state or out of the key block that set it.

import { type Cell, openAny, openCell } from '../../cell/index.ts'
import { type BlockIdExt, type ConfigAnswer, configParts, LiteError, MASTERCHAIN } from '../../node/index.ts'
import {
  accountsOf,
  blockInfoOf,
  type ConfigParams,
  loadBlock,
  type MasterStateDetails,
  type MasterStateExtra,
  type ShardState,
} from '../../tlb/index.ts'
import type { ChainSource, Located } from './chainSource.ts'
import { checkWanted, type WantedParams } from './checkQuery.ts'
import {
  keepAll,
  NO_PROOF,
  openMaster,
  openMasterExtra,
  openZerostate,
  proveAfter,
  proveBlock,
  separateBocs,
  toBoc,
} from './proofs.ts'

const MASTER_ONLY = 'configuration parameters can be loaded with respect to a masterchain block only'
const ANSWERED_MODE = 0xffff
const RECENT_BLOCKS = 16
/** So many of the newest blocks whose seqno is divisible by 100 are shown. */
const SPARSE_BLOCKS = 16
const SPARSE = 100

/** Parameters that belong to a part of the configuration, for clients that read that part. */
const PARAMS_OF_PART = {
  validatorSet: [34, 35],
  specialContracts: [0, 1, 31],
  workchains: [12],
  capabilities: [8],
  // What get-methods see of earlier blocks depends on the protocol version.
  previousBlocks: [8],
} as const

const PARTS_WITH_PARAMS = [
  'validatorSet',
  'specialContracts',
  'workchains',
  'capabilities',
  'previousBlocks',
] as const satisfies readonly (keyof typeof PARAMS_OF_PART)[]

function openParams(config: ConfigParams, wanted: WantedParams): void {
  if (wanted === 'all') keepAll(config.params.root)
  else for (const number of wanted) keepAll(config.params.get(number) ?? null)
}

function openPartParams(config: ConfigParams, mode: number): void {
  for (const part of PARTS_WITH_PARAMS) if ((mode & configParts[part]) !== 0) openParams(config, PARAMS_OF_PART[part])
}

function openPrevious(seqno: number, { previousBlocks, lastKeyBlock }: MasterStateDetails): void {
  let count = 0
  for (const _ of previousBlocks.entries({ reverse: true })) if (++count === RECENT_BLOCKS) break
  if (lastKeyBlock !== null) previousBlocks.get(lastKeyBlock.seqno)
  const sparse = seqno - (seqno % SPARSE)
  for (let i = 0; i < SPARSE_BLOCKS && sparse - i * SPARSE >= 0; i++) previousBlocks.get(sparse - i * SPARSE)
}

type OpenedMaster = { readonly extra: MasterStateExtra; readonly details: MasterStateDetails }

/** An augmented dictionary: clients compare the value stored next to it with that of its root. */
function openAugmented(holder: Cell, { root }: { readonly root: Cell | null }): void {
  openAny(holder)
  if (root !== null) openAny(root)
}

function openStateParts(state: ShardState, { extra, details }: OpenedMaster, mode: number): void {
  if ((mode & configParts.shardHashes) !== 0) keepAll(extra.shardHashes.root)
  if ((mode & configParts.accountsRoot) !== 0) openAugmented(state.accounts, accountsOf(state))
  if ((mode & configParts.previousBlocks) !== 0) openPrevious(state.seqno, details)
}

export async function config(
  source: ChainSource,
  id: BlockIdExt,
  wanted: WantedParams,
  mode: number,
): Promise<ConfigAnswer> {
  checkWanted(wanted)
  const located = source.locateMaster(id, MASTER_ONLY)
  if ((mode & configParts.fromKeyBlock) !== 0) return ofKeyBlock(source, located, wanted, mode)
  const proven = await proveAfter(source, located, (state) => {
    const master = openMaster(state)
    openParams(master.extra.config, wanted)
    openPartParams(master.extra.config, mode)
    openStateParts(state, master, mode)
    openZerostate(state.seqno, master.details)
  })
  const { stateProof, dataProof } = separateBocs(proven)
  return { mode: mode & ANSWERED_MODE, id, stateProof, configProof: dataProof }
}

/** The newest key block up to and including this one. */
export async function keyBlockAt(source: ChainSource, located: Located): Promise<Located> {
  if (located.facts === null || located.facts.isKey) return located
  const root = await source.blockRoot(located)
  return source.at(MASTERCHAIN, blockInfoOf(loadBlock(openCell(root))).prevKeyBlockSeqno)
}

async function ofKeyBlock(
  source: ChainSource,
  located: Located,
  wanted: WantedParams,
  mode: number,
): Promise<ConfigAnswer> {
  const key = await keyBlockAt(source, located)
  const root = await source.blockRoot(key)
  const proof = proveBlock(root, (block) => {
    const { config: params } = openMasterExtra(block)
    if (params === null) throw new LiteError('failed', 'the key block has no configuration')
    openParams(params, wanted)
    openPartParams(params, mode)
  })
  return { mode: mode & ANSWERED_MODE, id: key.id, stateProof: NO_PROOF, configProof: toBoc(proof) }
}
