// Opens a chain: from its journal if there is one, else from genesis. Nothing is executed again: blocks contain the changes
// of the state, and every state is checked against the hash in its block.

import { setImmediate as nextTurn } from 'node:timers/promises'
import { hashToBytes, MAX_DEPTH, readBoc, sha256 } from '../../cell/index.ts'
import { FULL_SHARD } from '../../tlb/index.ts'
import { Archive, type ArchiveFiles, type TransactionTexts } from '../archive/index.ts'
import { Imports } from '../fork/index.ts'
import type { Genesis, Zerostate } from '../genesis/index.ts'
import { BlockIndex, PastStates, replayStep, StateSnapshots, Steps, sizeOfStep } from '../history/index.ts'
import {
  type ForkBlock,
  type ImportsRecord,
  type Journal,
  packGenesis,
  RecordType,
  unpackClock,
  unpackGenesis,
  unpackImports,
  unpackMark,
  unpackRevert,
  unpackStepFacts,
} from '../journal/index.ts'
import type { LogRecord, SnapshotFiles, SnapshotLog } from '../log/index.ts'
import { BASECHAIN, MASTERCHAIN, type Moment, readMasterState, readState } from '../state/index.ts'
import type { Warn } from '../warn.ts'
import type { ChainClock } from './chainClock.ts'
import { GrowingChain } from './growingChain.ts'
import type { StepTools } from './makeStep.ts'
import { Marks } from './marks.ts'

/** The events of a journal, before any state is computed from them. */
export class ChainPast {
  readonly index = new BlockIndex()
  readonly marks = new Marks()
  genesis: Genesis | null = null
  /** The story that the chain began with. */
  story: string | null = null
  /** The block of the network that the chain was forked at. */
  fork: ForkBlock | null = null
  readonly imports = new Imports()
  /** Of the step that follows; after a crash it may be missing. */
  #coming: ImportsRecord | null = null
  epoch = 0
  clockOffset = 0

  /** Takes the next record. */
  take({ at, type, payload }: LogRecord): void {
    switch (type) {
      case RecordType.genesis: {
        const { masterBoc, baseBoc, story, fork } = unpackGenesis(payload)
        this.story = story
        this.fork = fork
        this.genesis = { master: zerostateOf(MASTERCHAIN, masterBoc), base: zerostateOf(BASECHAIN, baseBoc) }
        return
      }
      case RecordType.step: {
        const { master, shard, clockOffset } = unpackStepFacts(payload)
        this.index.add({ master, shard, clockOffset, at })
        this.clockOffset = clockOffset
        if (this.#coming?.seqno === master.id.seqno) this.imports.add(this.#coming)
        this.#coming = null
        return
      }
      case RecordType.revert: {
        const { name, seqno, epoch, clockOffset } = unpackRevert(payload)
        this.index.truncate(seqno)
        this.imports.truncate(seqno)
        this.marks.dropFrom(name)
        this.epoch = epoch
        this.clockOffset = clockOffset
        return
      }
      case RecordType.mark:
        this.marks.add(unpackMark(payload))
        return
      case RecordType.imports:
        this.#coming = unpackImports(payload)
        return
      case RecordType.clock:
        this.clockOffset = unpackClock(payload)
        return
      default:
        throw new Error(`The journal has a record of an unknown type ${type}`)
    }
  }
}

function zerostateOf(workchain: number, boc: Uint8Array): Zerostate {
  // The bytes may be part of a larger buffer that should not be held on to.
  const own = new Uint8Array(boc)
  const root = readBoc(own, { maxDepth: MAX_DEPTH })
  const fileHash = hashToBytes(sha256(own))
  return { id: { workchain, shard: FULL_SHARD, seqno: 0, rootHash: root.hashBytes(), fileHash }, root, boc: own }
}

/** The files in a chain's folder other than its journal. */
export interface ChainDisk {
  readonly snapshots: SnapshotFiles
  readonly log: SnapshotLog
  /** Null when they cannot be used: answers are then read from whole blocks. */
  readonly archiveFiles: ArchiveFiles | null
}

export interface OpenParts {
  readonly past: ChainPast
  readonly journal: Journal
  /** Null for a chain in memory. */
  readonly disk: ChainDisk | null
  readonly createGenesis: () => Genesis
  /** The story of a new chain; null for none. */
  readonly story: string | null
  /** What a new chain is forked at; null for none. */
  readonly fork: ForkBlock | null
  readonly texts: TransactionTexts
  readonly tools: Omit<StepTools, 'baseZerostate'>
  readonly clock: ChainClock
  readonly snapshotEvery: number
  /** States kept in memory. */
  readonly keptStates: number
  readonly warn: Warn
}

/** Opens the chain with these recorded events, or begins a new one. Rejects with ReplayError when states and blocks do not agree. */
export async function openChain(parts: OpenParts): Promise<GrowingChain> {
  const { past, journal, disk, clock } = parts
  const { index } = past
  const zerostates = past.genesis ?? (await begin(parts))
  const start: Moment = {
    master: readMasterState(zerostates.master.root, zerostates.master.id),
    shard: readState(zerostates.base.root, zerostates.base.id),
  }
  const steps = new Steps(index, journal, firstSignerOf(parts.tools))
  const snapshots = disk === null ? null : new StateSnapshots(disk, index, steps)
  const findBase = async (seqno: number) => (await snapshots?.find(seqno)) ?? null
  const moments = new PastStates(start, { steps, limit: parts.keptStates, findBase })
  clock.offset = past.clockOffset
  const { length } = index
  const base = await findBase(length)
  const { moment, bytes } = await catchUp({ start, moments, steps, length, base })
  const archive = openArchive(parts, steps)
  const chain = new GrowingChain(
    {
      zerostates,
      tools: { ...parts.tools, baseZerostate: zerostates.base.id },
      journal,
      index,
      steps,
      moments,
      archive,
      marks: past.marks,
      imports: past.imports,
      clock,
      snapshots,
      snapshotEvery: parts.snapshotEvery,
      warn: parts.warn,
    },
    { moment, epoch: past.epoch, replayed: { steps: length - (base?.seqno ?? 0), bytes } },
  )
  archive?.start()
  return chain
}

function openArchive({ past, disk, texts, warn }: OpenParts, steps: Steps): Archive | null {
  const { index } = past
  if (disk === null || disk.archiveFiles === null) return null
  const source = {
    rootHash: (seqno: number) => index.masterHash(seqno),
    roots: (seqno: number) => steps.load(seqno),
    texts,
    get length() {
      return index.length
    },
  }
  return new Archive(disk.archiveFiles, source, warn)
}

async function begin({ past, journal, createGenesis, story, fork }: OpenParts): Promise<Genesis> {
  const genesis = createGenesis()
  const payload = packGenesis({ masterBoc: genesis.master.boc, baseBoc: genesis.base.boc, story, fork })
  await journal.append([{ type: RecordType.genesis, payload }])
  past.story = story
  past.fork = fork
  return genesis
}

function firstSignerOf({ keys }: Pick<StepTools, 'keys'>): Uint8Array {
  const [first] = keys.first(1)
  if (first === undefined) throw new Error('A chain without keys')
  return first.nodeIdShort
}

interface CatchUp {
  readonly start: Moment
  readonly base: { readonly seqno: number; readonly moment: Moment } | null
  readonly moments: PastStates
  readonly steps: Steps
  readonly length: number
}

/** The newest moment, and how many bytes of steps were replayed for it. */
async function catchUp({ start, base, moments, steps, length }: CatchUp): Promise<{ moment: Moment; bytes: number }> {
  let moment = base?.moment ?? start
  let bytes = 0
  // It may be the newest, which is read most.
  if (base !== null) moments.cache(base.seqno, base.moment, 0)
  for (let seqno = (base?.seqno ?? 0) + 1; seqno <= length; seqno++) {
    const step = await steps.load(seqno)
    moment = replayStep(moment, step)
    const size = sizeOfStep(step)
    moments.cache(seqno, moment, size)
    bytes += size
    await nextTurn()
  }
  return { moment, bytes }
}
