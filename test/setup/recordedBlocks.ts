// A lite server over the blocks of a chain that the public C++ node made: four validators, two shards. States are the
// recorded first ones with every update applied. It proves what hangs on a block, and leads no chain of trust.

import {
  applyUpdate,
  beginCell,
  type Cell,
  Dict,
  makeProof,
  openCell,
  readBoc,
  storeDict,
  writeBoc,
} from '../../server/cell/index.ts'
import {
  type BlockIdExt,
  isSameBlock,
  LiteError,
  type LiteServer,
  MASTERCHAIN,
  prefixOf,
  previousBlocksOf,
  shardHolds,
  shardTopsOf,
  WHOLE_SHARD,
  type WholeBlock,
} from '../../server/node/index.ts'
import { accountsOf, blockExtraOf, loadShardState, masterExtraOf, shardHashesKind } from '../../server/tlb/index.ts'
import { readFixture, recordedCalls } from './recordedSession.ts'
import { verifyBlock } from './verifyAtOnce.ts'

export interface BlocksFile {
  readonly zero_state: { readonly root_hash: string; readonly file_hash: string }
  readonly blocks: readonly {
    readonly workchain: number
    readonly shard: string
    readonly seqno: number
    readonly root_hash: string
    readonly file_hash: string
    readonly boc: string
  }[]
}

export interface RecordedBlock extends WholeBlock {
  readonly boc: Uint8Array
  /** The masterchain block that commits it. */
  readonly mcSeqno: number
}

export interface RecordedChain {
  /** Shard blocks behind the masterchain block that commits them. */
  readonly blocks: readonly RecordedBlock[]
  readonly zerostate: BlockIdExt
  /** After each block by its name, and the first ones. */
  readonly states: ReadonlyMap<string, Cell>
}

export const stateName = ({ workchain, shard, seqno, rootHash }: BlockIdExt): string =>
  seqno === 0 ? `${workchain}:0` : `${workchain}:${shard.toString(16)}:${Buffer.from(rootHash).toString('hex')}`

/** The blocks of a file, and the states that their updates make of the first ones. */
export function chainOf(file: BlocksFile, first: Iterable<readonly [name: string, state: Cell]>): RecordedChain {
  let mcSeqno = 0
  const blocks = file.blocks.map((stored): RecordedBlock => {
    const { workchain, seqno } = stored
    const boc = Buffer.from(stored.boc, 'base64')
    const hashes = {
      rootHash: Buffer.from(stored.root_hash, 'base64'),
      fileHash: Buffer.from(stored.file_hash, 'base64'),
    }
    if (workchain === MASTERCHAIN) mcSeqno = seqno
    return { ...verifyBlock({ workchain, shard: BigInt(`0x${stored.shard}`), seqno, ...hashes }, boc), boc, mcSeqno }
  })
  const states = new Map(first)
  for (const block of blocks.toSorted((a, b) => a.id.seqno - b.id.seqno)) {
    const [before] = previousBlocksOf(block)
    const { stateUpdate } = block.block
    const state = before && states.get(stateName(before))
    const shown = stateUpdate.refs[1]
    // A first state that is not recorded may be shown whole by the first block after it.
    if (state === undefined && (shown === undefined || shown.mask !== 0)) throw new Error('A state is not known')
    const after = state === undefined ? shown : applyUpdate(state, stateUpdate)
    if (after !== undefined) states.set(stateName(block.id), after)
  }
  const { root_hash: root, file_hash: hash } = file.zero_state
  const hashes = { rootHash: Buffer.from(root, 'base64'), fileHash: Buffer.from(hash, 'base64') }
  return { blocks, states, zerostate: { workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno: 0, ...hashes } }
}

export async function recordedChain(): Promise<RecordedChain> {
  const first: [string, Cell][] = []
  for (const { verb, args, answer } of await recordedCalls('cpp-session'))
    if (verb === 'state' && !(answer instanceof Error))
      first.push([stateName(args[0] as BlockIdExt), readBoc((answer as { data: Uint8Array }).data, { maxDepth: 1024 })])
  return chainOf(readFixture('cpp-blocks') as BlocksFile, first)
}

/** All of a tree, in the form of a proof. */
export const wholeProof = (root: Cell): Cell => makeProof(root, () => true)
const EMPTY = new Uint8Array(0)

export interface ChainServer {
  readonly server: LiteServer
  /** Makes the masterchain grow up to this block. */
  reveal(seqno: number): void
}

interface ServerOptions {
  /** Verbs beside its own, or in place of them. */
  readonly more?: Partial<LiteServer>
  /** Whether states as of a masterchain block are still kept when another one is the newest. */
  readonly keepsState?: (mcSeqno: number, newest: number) => boolean
}

export function chainServer(
  chain: RecordedChain,
  { keepsState = () => true, more = {} }: ServerOptions = {},
): ChainServer {
  const { blocks, zerostate } = chain
  const masters = blocks.filter(({ id }) => id.workchain === MASTERCHAIN)
  const listeners = new Set<(id: BlockIdExt) => void>()
  let newest = 1
  const byId = (id: BlockIdExt): RecordedBlock => {
    const found = blocks.find((one) => isSameBlock(one.id, id))
    if (found === undefined) throw new LiteError('notReady', 'block is not in db')
    return found
  }
  const masterAt = (seqno: number): RecordedBlock => {
    const found = seqno > newest ? undefined : masters[seqno - 1]
    if (found === undefined) throw new LiteError('notReady', `cannot find block seqno=${seqno}: seqno not in db`)
    return found
  }
  const stateAfter = ({ id }: RecordedBlock): Cell => chain.states.get(stateName(id)) ?? beginCell().end()
  const headerOf = ({ id, root }: RecordedBlock, mode: number) => ({
    id,
    mode,
    headerProof: writeBoc(wholeProof(root)),
  })
  const pair = (block: RecordedBlock): Uint8Array => writeBoc([wholeProof(block.root), wholeProof(stateAfter(block))])
  const verbs: Partial<LiteServer> = {
    kind: 'remote',
    masterchainInfo: async () => {
      const top = masterAt(newest)
      const { id: last, info } = top
      const times = { now: info.genUtime, lastUtime: info.genUtime }
      const stateRootHash = stateAfter(top).hashBytes()
      return { last, init: zerostate, stateRootHash, version: 257, capabilities: 15n, ...times }
    },
    lookup: async (query, mode = 0) => {
      if (!('seqno' in query) || query.workchain !== MASTERCHAIN) throw new LiteError('notReady', 'lt not in db')
      return headerOf(masterAt(query.seqno), mode)
    },
    header: async (id, mode = 0) => headerOf(byId(id), mode),
    block: async (id) => byId(id).boc,
    state: async (id) => {
      const found = id.seqno === 0 ? chain.states.get(stateName(id)) : undefined
      if (found === undefined) throw new LiteError('notReady', 'state is not in db')
      return { id, rootHash: id.rootHash, fileHash: id.fileHash, data: writeBoc(found) }
    },
    shards: async (id) => {
      const { block, root } = byId(id)
      const tree = masterExtraOf(blockExtraOf(block))?.shardHashes.root ?? null
      const data = writeBoc(storeDict(beginCell(), new Dict(shardHashesKind, tree)).end())
      return { id, proof: writeBoc(wholeProof(root)), data }
    },
    config: async (id, _params, mode = 0) => {
      const block = byId(id)
      return {
        id,
        mode,
        stateProof: writeBoc(wholeProof(block.root)),
        configProof: writeBoc(wholeProof(stateAfter(block))),
      }
    },
    accountState: async (id, account) => {
      const block = byId(id)
      if (!keepsState(block.mcSeqno, newest)) throw new LiteError(602, "state already gc'd")
      const isOwn = id.workchain === account.workchain
      const top = isOwn
        ? null
        : shardTopsOf(block.block).find((one) => shardHolds(one.id.shard, prefixOf(account.hash)))
      const shard = isOwn ? block : byId(top?.id ?? id)
      const found = accountsOf(loadShardState(openCell(stateAfter(shard)))).get(account.hash)
      const state = found === undefined ? EMPTY : writeBoc(found.account)
      return { id, shardBlock: shard.id, shardProof: isOwn ? EMPTY : pair(block), proof: pair(shard), state }
    },
    onHead: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    ...more,
  }
  /** What a server may do without. */
  const optional: readonly (string | symbol)[] = [
    'attempt',
    'blockRoot',
    'heard',
    'each',
    'onAway',
  ] satisfies (keyof LiteServer)[]
  const server = new Proxy(verbs as LiteServer, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name)
      if (value !== undefined || optional.includes(name)) return value
      return () => Promise.reject(new LiteError('badQuery', `${String(name)} is not recorded`))
    },
  })
  return {
    server,
    reveal(seqno) {
      newest = Math.min(seqno, masters.length)
      for (const listener of listeners) listener(masterAt(newest).id)
    },
  }
}
