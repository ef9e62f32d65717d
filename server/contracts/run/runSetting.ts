// What a TVM run needs of the network besides the account: the configuration, read again only when it changes, and the
// previous blocks.

import { type BinaryHash, type Cell, emptyDict, numberOfBytes, writeBocText } from '../../cell/index.ts'
import {
  type BlockIdExt,
  type Chain,
  MASTERCHAIN,
  type MasterBlock,
  type ProvenPreviousBlocks,
  WHOLE_SHARD,
} from '../../node/index.ts'
import { type ConfigParams, configKind } from '../../tlb/index.ts'
import { preparedConfig, type TvmConfig } from '../../tvm/index.ts'
import { writeStackValue } from '../stack/stackCells.ts'
import { intValue, type StackValue, tupleValue } from '../stack/stackValue.ts'

export interface RunSetting {
  readonly config: TvmConfig
  /** Parameters of the configuration by number. */
  readonly params: ReadonlyMap<number, Cell>
  /** The tuple behind PREVMCBLOCKS and its like, as base64 of a bag of cells; null where runs do without. */
  readonly prevBlocks: string | null
}

const MOST_BLOCKS = 16
const MOST_CONFIGS = 4

/** Keeps the newest few. */
function keep<K, V>(kept: Map<K, V>, key: K, value: V, most: number): V {
  kept.set(key, value)
  const [oldest] = kept.keys()
  if (kept.size > most && oldest !== undefined) kept.delete(oldest)
  return value
}

const blockValue = ({ seqno, rootHash, fileHash }: MasterBlock): StackValue =>
  tupleValue(
    [BigInt(MASTERCHAIN), WHOLE_SHARD, BigInt(seqno), numberOfBytes(rootHash), numberOfBytes(fileHash)].map(intValue),
  )

/** The last 16 blocks, the last key block, the last 16 whose seqno is divisible by 100. */
function previousBlocks({ recent, key, sparse }: ProvenPreviousBlocks): Cell {
  const tuple = (blocks: readonly MasterBlock[]) => tupleValue(blocks.map(blockValue))
  return writeStackValue(tupleValue([tuple(recent), blockValue(key), tuple(sparse)]))
}

type SettingChain = Pick<Chain, 'config' | 'previousBlocks'>

const keyOf = ({ rootHash }: MasterBlock): string => Buffer.from(rootHash).toString('latin1')

export class RunSettings {
  readonly #chain: SettingChain
  readonly #blocks = new Map<string, RunSetting>()
  readonly #configs = new Map<BinaryHash, Pick<RunSetting, 'config' | 'params'>>()

  constructor(chain: SettingChain) {
    this.#chain = chain
  }

  /** As of a masterchain block. Rejects with LiteError or ProofError. */
  async at(id: BlockIdExt, signal: AbortSignal): Promise<RunSetting> {
    const key = keyOf(id)
    return this.#blocks.get(key) ?? keep(this.#blocks, key, await this.#read(id, signal), MOST_BLOCKS)
  }

  /** The same for a caller that reads other things meanwhile, and may not need it: its failure counts where it is awaited. */
  begin(id: BlockIdExt, signal: AbortSignal): Promise<RunSetting> {
    const reading = this.at(id, signal)
    reading.catch(() => undefined)
    return reading
  }

  /** The same without previous blocks, which are in force for one block only. Rejects with LiteError or ProofError. */
  async configAt(id: BlockIdExt, signal: AbortSignal): Promise<RunSetting> {
    const { params } = await this.#chain.config(id, 'all', { signal })
    return { ...this.#configOf(params), prevBlocks: null }
  }

  async #read(id: BlockIdExt, signal: AbortSignal): Promise<RunSetting> {
    const reading = this.#chain.previousBlocks(id, { signal })
    // The first one: both are read at once.
    const [blocks] = this.#configs.size > 0 ? [await reading] : await Promise.all([reading, this.configAt(id, signal)])
    const { configHash } = blocks
    const known = this.#configs.get(configHash) ?? (await this.#readConfig(id, configHash, signal))
    return { ...known, prevBlocks: writeBocText(previousBlocks(blocks)) }
  }

  async #readConfig(id: BlockIdExt, hash: BinaryHash, signal: AbortSignal) {
    const { params } = await this.#chain.config(id, 'all', { signal })
    return this.#configOf(params, hash)
  }

  #configOf(params: ReadonlyMap<number, Cell>, hash?: BinaryHash): Pick<RunSetting, 'config' | 'params'> {
    const { root }: ConfigParams['params'] = emptyDict(configKind).update(params)
    if (root === null || (hash !== undefined && root.hash() !== hash))
      throw new Error('a configuration is not what its hash says')
    const known = this.#configs.get(root.hash())
    return known ?? keep(this.#configs, root.hash(), { config: preparedConfig(root), params }, MOST_CONFIGS)
  }
}
