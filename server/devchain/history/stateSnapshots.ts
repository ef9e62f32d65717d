// Snapshots of whole states, so that a start need not replay from genesis.

import { openCell, updateHashes } from '../../cell/index.ts'
import { failureText } from '../../process/index.ts'
import { loadBlock } from '../../tlb/index.ts'
import { registeredShard } from '../collate/index.ts'
import type { LogPosition, Snapshot, SnapshotFiles, SnapshotLog } from '../log/index.ts'
import { BASECHAIN, type ChainState, type Moment, readMasterState, readState } from '../state/index.ts'
import type { BlockIndex } from './blockIndex.ts'
import { readCells, writeCells } from './cellStream.ts'
import type { Steps } from './storedSteps.ts'

interface Meta {
  readonly seqno: number
  /** Of the masterchain block, in hex. */
  readonly rootHash: string
}

export class StateSnapshots {
  readonly #snapshots: SnapshotFiles
  readonly #log: SnapshotLog
  readonly #index: BlockIndex
  readonly #steps: Steps

  constructor(
    place: { readonly snapshots: SnapshotFiles; readonly log: SnapshotLog },
    index: BlockIndex,
    steps: Steps,
  ) {
    this.#snapshots = place.snapshots
    this.#log = place.log
    this.#index = index
    this.#steps = steps
    // A branch that was reverted never comes back, and its snapshots would take the room of others.
    this.#snapshots.isWanted = (meta) => this.#stepIn(meta) !== null
  }

  /** Writes a snapshot of the state after a step; `at` is the position of the next record. */
  async write(seqno: number, moment: Moment, at: LogPosition): Promise<void> {
    const rootHash = Buffer.from(moment.master.id.rootHash).toString('hex')
    const meta = Buffer.from(JSON.stringify({ seqno, rootHash } satisfies Meta))
    const payload = writeCells([moment.master.root, moment.shard.root])
    await this.#snapshots.write(this.#log, { at, meta, payload })
  }

  /** The newest that is no later than step `seqno` and belongs to the chain as it is now. */
  async find(seqno: number): Promise<{ seqno: number; moment: Moment } | null> {
    let before = this.#index.step(seqno + 1)?.at
    // Snapshots of branches that were reverted stay until the next one is written: hundreds of them are not read to their ends.
    const isOurs = (meta: Uint8Array): boolean => (this.#stepIn(meta) ?? seqno + 1) <= seqno
    for (;;) {
      const snapshot = await this.#snapshots.latest(before, isOurs)
      if (snapshot === null) return null
      try {
        const found = await this.#open(snapshot)
        if (found !== null) return found
      } catch (error) {
        // It may have been removed since it was verified: a newer one was written.
        this.#snapshots.passOver(snapshot, failureText(error))
      }
      before = { segment: snapshot.at.segment, offset: snapshot.at.offset - 1 }
    }
  }

  /** The step of a snapshot; null when the chain as it is now has not made it. */
  #stepIn(meta: Uint8Array): number | null {
    const { seqno, rootHash }: Meta = JSON.parse(Buffer.from(meta).toString('utf8'))
    const id = this.#index.step(seqno)?.master.id
    return id !== undefined && Buffer.from(id.rootHash).toString('hex') === rootHash ? seqno : null
  }

  async #open({ meta, chunks }: Snapshot): Promise<{ seqno: number; moment: Moment } | null> {
    const seqno = this.#stepIn(meta)
    const step = seqno === null ? undefined : this.#index.step(seqno)
    if (seqno === null || step === undefined) return null
    const shardFacts = this.#index.shardAfter(seqno)
    const [master, shard] = await readCells(chunks())
    if (master === undefined || shard === undefined || shardFacts === undefined) return null
    const moment = { master: readMasterState(master, step.master.id), shard: readState(shard, shardFacts.id) }
    return (await this.#isTrue(seqno, moment)) ? { seqno, moment } : null
  }

  /** Whether the states are those after the blocks of the step. */
  async #isTrue(seqno: number, { master, shard }: Moment): Promise<boolean> {
    const { masterRoot } = await this.#steps.load(seqno)
    const { after } = updateHashes(loadBlock(openCell(masterRoot)).stateUpdate)
    const registered = registeredShard(master)
    return after === master.root.hash() && registered?.seqno === shard.id.seqno && (await this.#isShardTrue(shard))
  }

  async #isShardTrue(shard: ChainState): Promise<boolean> {
    const facts = this.#index.bySeqno(BASECHAIN, shard.id.seqno)
    const seqno = facts === undefined ? undefined : this.#index.stepOf(facts)
    if (seqno === undefined) return false
    const { shardRoot } = await this.#steps.load(seqno)
    if (shardRoot === null) return false
    return updateHashes(loadBlock(openCell(shardRoot)).stateUpdate).after === shard.root.hash()
  }
}
