// What the TVM is told of the network besides an account: the configuration, read again only when it changes, and the
// blocks before.

import { type Cell, emptyDict, type Hash, loadProof, openCell, readBoc, writeBoc } from '../../cell/index.ts'
import {
  type BlockIdExt,
  configParts,
  type LiteServer,
  MASTERCHAIN,
  verifyConfig,
  WHOLE_SHARD,
} from '../../node/index.ts'
import {
  type ConfigParams,
  configKind,
  loadShardState,
  type MasterStateDetails,
  masterDetailsOf,
  masterStateOf,
} from '../../tlb/index.ts'
import { createConfig, type TvmConfig } from '../../tvm/index.ts'
import { writeStackValue } from '../stack/stackCells.ts'
import { intValue, type StackValue, tupleValue } from '../stack/stackValue.ts'

export interface RunSetting {
  readonly config: TvmConfig
  /** Parameters of the configuration by number. */
  readonly params: ReadonlyMap<number, Cell>
  /** The tuple behind PREVMCBLOCKS and its like, as base64 of a bag of cells. */
  readonly prevBlocks: string
}

const MOST_BLOCKS = 16
const MOST_CONFIGS = 4
const RECENT = 16
const SPARSE = 100

/** Keeps the newest few. */
function keep<K, V>(kept: Map<K, V>, key: K, value: V, most: number): V {
  kept.set(key, value)
  const [oldest] = kept.keys()
  if (kept.size > most && oldest !== undefined) kept.delete(oldest)
  return value
}

const textOf = (cell: Cell): string => Buffer.from(writeBoc(cell)).toString('base64')

const number = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).toString('hex')}`)

const blockValue = ({ seqno, rootHash, fileHash }: MasterBlock): StackValue =>
  tupleValue([BigInt(MASTERCHAIN), WHOLE_SHARD, BigInt(seqno), number(rootHash), number(fileHash)].map(intValue))

type MasterBlock = Pick<BlockIdExt, 'seqno' | 'rootHash' | 'fileHash'>

/** The last 16 masterchain blocks, newest first, out of a proof that shows no more. */
function recentBlocks(id: BlockIdExt, { previousBlocks }: MasterStateDetails): MasterBlock[] {
  const blocks: MasterBlock[] = [id]
  for (let seqno = id.seqno - 1; seqno >= 0 && blocks.length < RECENT; seqno--) {
    const old = previousBlocks.get(seqno)
    if (old !== undefined) blocks.push(old.block)
  }
  return blocks
}

type SettingNode = Pick<LiteServer, 'config' | 'lookup' | 'masterchainInfo'>

/** The masterchain block with a seqno. The zero state counts as one. */
async function blockAt(node: SettingNode, seqno: number, signal: AbortSignal): Promise<MasterBlock> {
  if (seqno === 0) return { seqno, ...(await node.masterchainInfo({ signal })).init }
  return (await node.lookup({ workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno }, 0, { signal })).id
}

const keyOf = ({ rootHash }: MasterBlock): string => Buffer.from(rootHash).toString('latin1')

export class RunSettings {
  readonly #node: SettingNode
  readonly #blocks = new Map<string, RunSetting>()
  readonly #configs = new Map<Hash, Pick<RunSetting, 'config' | 'params'>>()
  /** By the newest of them, which stands for all before it. */
  readonly #sparse = new Map<string, readonly MasterBlock[]>()

  constructor(node: SettingNode) {
    this.#node = node
  }

  /** As of a masterchain block. Rejects with LiteError or ProofError. */
  async at(id: BlockIdExt, signal: AbortSignal): Promise<RunSetting> {
    const key = keyOf(id)
    return this.#blocks.get(key) ?? keep(this.#blocks, key, await this.#read(id, signal), MOST_BLOCKS)
  }

  async #read(id: BlockIdExt, signal: AbortSignal): Promise<RunSetting> {
    const answer = await this.#node.config(id, [], configParts.previousBlocks, { signal })
    const { root } = verifyConfig(id, [], answer).config.params
    if (root === null) throw new Error('a state without a configuration')
    const known = this.#configs.get(root.hash()) ?? (await this.#readConfig(id, root.hash(), signal))
    // Checked above: what is proven of the state is read once more for its blocks.
    const master = masterStateOf(loadShardState(openCell(loadProof(readBoc(answer.configProof, { maxDepth: 1024 })))))
    if (master === null) throw new Error('a masterchain state was expected')
    return { ...known, prevBlocks: textOf(await this.#previous(id, masterDetailsOf(master), signal)) }
  }

  /** The last 16 blocks, the last key block, the last 16 whose seqno is divisible by 100. */
  async #previous(id: BlockIdExt, details: MasterStateDetails, signal: AbortSignal): Promise<Cell> {
    const { afterKeyBlock, lastKeyBlock } = details
    const recent = recentBlocks(id, details)
    const sparse = await this.#sparseBlocks(id.seqno, recent, signal)
    const key = afterKeyBlock || lastKeyBlock === null ? id : lastKeyBlock
    const tuple = (blocks: readonly MasterBlock[]) => tupleValue(blocks.map(blockValue))
    return writeStackValue(tupleValue([tuple(recent), blockValue(key), tuple(sparse)]))
  }

  async #sparseBlocks(newest: number, recent: readonly MasterBlock[], signal: AbortSignal) {
    const last = newest - (newest % SPARSE)
    const first = recent.find(({ seqno }) => seqno === last) ?? (await blockAt(this.#node, last, signal))
    const known = this.#sparse.get(keyOf(first))
    if (known !== undefined) return known
    const seqnos = Array.from({ length: Math.min(RECENT, last / SPARSE + 1) }, (_, i) => last - i * SPARSE)
    const others = await Promise.all(seqnos.slice(1).map((seqno) => blockAt(this.#node, seqno, signal)))
    return keep(this.#sparse, keyOf(first), [first, ...others], MOST_CONFIGS)
  }

  async #readConfig(id: BlockIdExt, hash: Hash, signal: AbortSignal) {
    const answer = await this.#node.config(id, 'all', 0, { signal })
    const { params } = verifyConfig(id, 'all', answer)
    const { root }: ConfigParams['params'] = emptyDict(configKind).update(params)
    if (root === null || root.hash() !== hash) throw new Error('a configuration is not what its hash says')
    return keep(this.#configs, hash, { config: createConfig(writeBoc(root)), params }, MOST_CONFIGS)
  }
}
