// States written down whole from time to time, so that a start need not go back to genesis.

import { readBocRoots, writeBoc } from '../../../cell/index.ts'
import type { Position, Snapshot, SnapshotLog, Snapshots } from '../log/index.ts'
import { type Moment, readMasterState, readState } from '../state/index.ts'
import type { BlockIndex } from './blockIndex.ts'

const LIMITS = { maxBytes: 0x0fff_ffff, maxCells: 1 << 25, maxDepth: 1024 }
/** The flavour without index and checksum: the file has a checksum of its own. */
const PLAIN = 0

interface Meta {
  readonly seqno: number
  /** Of the masterchain block, in hex. */
  readonly rootHash: string
}

export class StateSnapshots {
  readonly #snapshots: Snapshots
  readonly #log: SnapshotLog
  readonly #index: BlockIndex

  constructor(snapshots: Snapshots, log: SnapshotLog, index: BlockIndex) {
    this.#snapshots = snapshots
    this.#log = log
    this.#index = index
  }

  /** Writes down how things stand after a step; `at` is where the next record goes. */
  async write(seqno: number, moment: Moment, at: Position): Promise<void> {
    const rootHash = Buffer.from(moment.master.id.rootHash).toString('hex')
    const meta = Buffer.from(JSON.stringify({ seqno, rootHash } satisfies Meta))
    await this.#snapshots.write(this.#log, {
      at,
      meta,
      payload: writeBoc([moment.master.root, moment.shard.root], PLAIN),
    })
  }

  /** The newest that is no later than step `seqno` and belongs to the chain as it is now. */
  async find(seqno: number): Promise<{ seqno: number; moment: Moment } | null> {
    let before = this.#index.step(seqno + 1)?.at
    for (;;) {
      const snapshot = await this.#snapshots.latest(before)
      if (snapshot === null) return null
      const found = await this.#open(snapshot, seqno)
      if (found !== null) return found
      before = { segment: snapshot.at.segment, offset: snapshot.at.offset - 1 }
    }
  }

  async #open(snapshot: Snapshot, limit: number): Promise<{ seqno: number; moment: Moment } | null> {
    const { seqno, rootHash } = JSON.parse(Buffer.from(snapshot.meta).toString('utf8')) as Meta
    const step = this.#index.step(seqno)
    // A snapshot of a branch that was reverted stays on the disk for a while.
    if (step === undefined || seqno > limit) return null
    if (Buffer.from(step.master.id.rootHash).toString('hex') !== rootHash) return null
    const shardId = this.#shardIdAt(seqno)
    const [master, shard] = readBocRoots(await snapshot.read(), LIMITS)
    if (master === undefined || shard === undefined || shardId === null) return null
    return { seqno, moment: { master: readMasterState(master, step.master.id), shard: readState(shard, shardId) } }
  }

  /** The shard block registered by step `seqno` or the last one before it. */
  #shardIdAt(seqno: number) {
    for (let at = seqno; at > 0; at--) {
      const shard = this.#index.step(at)?.shard
      if (shard) return shard.id
    }
    return null
  }
}
