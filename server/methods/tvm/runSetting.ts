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
  type ExtBlockRef,
  loadShardState,
  type MasterStateDetails,
  masterDetailsOf,
  masterStateOf,
} from '../../tlb/index.ts'
import { createConfig, type TvmConfig } from '../../tvm/index.ts'
import { believed, upstream } from '../errors.ts'
import { writeStackValue } from '../stack/stackCells.ts'
import { intValue, type StackValue, tupleValue } from '../stack/stackValue.ts'

export interface RunSetting {
  readonly config: TvmConfig
  /** Parameters of the configuration by number. */
  readonly params: ReadonlyMap<number, Cell>
  /** The tuple behind PREVMCBLOCKS and its like. */
  readonly prevBlocks: Uint8Array
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

const number = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).toString('hex')}`)

const blockValue = ({ seqno, rootHash, fileHash }: Pick<BlockIdExt, 'seqno' | 'rootHash' | 'fileHash'>): StackValue =>
  tupleValue([BigInt(MASTERCHAIN), WHOLE_SHARD, BigInt(seqno), number(rootHash), number(fileHash)].map(intValue))

/** The last 16 masterchain blocks, the last key block, the last 16 whose seqno is divisible by 100. */
function previousBlocks(id: BlockIdExt, { previousBlocks: old, afterKeyBlock, lastKeyBlock }: MasterStateDetails) {
  const blockAt = (seqno: number): ExtBlockRef | BlockIdExt | undefined =>
    seqno === id.seqno ? id : old.get(seqno)?.block
  const going = (from: number, step: number): StackValue => {
    const blocks: StackValue[] = []
    for (let seqno = from; seqno >= 0 && blocks.length < RECENT; seqno -= step) {
      const block = blockAt(seqno)
      if (block !== undefined) blocks.push(blockValue(block))
    }
    return tupleValue(blocks)
  }
  const keyBlock = afterKeyBlock || lastKeyBlock === null ? id : lastKeyBlock
  return tupleValue([going(id.seqno, 1), blockValue(keyBlock), going(id.seqno - (id.seqno % SPARSE), SPARSE)])
}

export class RunSettings {
  readonly #node: Pick<LiteServer, 'config'>
  readonly #blocks = new Map<string, RunSetting>()
  readonly #configs = new Map<Hash, Pick<RunSetting, 'config' | 'params'>>()

  constructor(node: Pick<LiteServer, 'config'>) {
    this.#node = node
  }

  /** As of a masterchain block. Throws ApiError `upstream`. */
  async at(id: BlockIdExt, signal: AbortSignal): Promise<RunSetting> {
    const key = Buffer.from(id.rootHash).toString('latin1')
    return this.#blocks.get(key) ?? keep(this.#blocks, key, await this.#read(id, signal), MOST_BLOCKS)
  }

  async #read(id: BlockIdExt, signal: AbortSignal): Promise<RunSetting> {
    const answer = await upstream(this.#node.config(id, [], configParts.previousBlocks, { signal }))
    const { root } = believed(() => verifyConfig(id, [], answer)).config.params
    if (root === null) throw new Error('a state without a configuration')
    const known = this.#configs.get(root.hash()) ?? (await this.#readConfig(id, root.hash(), signal))
    // Checked above: what is proven of the state is read once more for its blocks.
    const master = masterStateOf(loadShardState(openCell(loadProof(readBoc(answer.configProof, { maxDepth: 1024 })))))
    if (master === null) throw new Error('a masterchain state was expected')
    const prevBlocks = writeBoc(writeStackValue(previousBlocks(id, masterDetailsOf(master))))
    return { ...known, prevBlocks }
  }

  async #readConfig(id: BlockIdExt, hash: Hash, signal: AbortSignal) {
    const answer = await upstream(this.#node.config(id, 'all', 0, { signal }))
    const { params } = believed(() => verifyConfig(id, 'all', answer))
    const { root }: ConfigParams['params'] = emptyDict(configKind).update(params)
    if (root === null || root.hash() !== hash) throw new Error('a configuration is not what its hash says')
    return keep(this.#configs, hash, { config: createConfig(writeBoc(root)), params }, MOST_CONFIGS)
  }
}
