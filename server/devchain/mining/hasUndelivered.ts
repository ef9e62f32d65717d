import { undelivered } from '../collate/index.ts'
import { type ChainState, type Moment, readMarks } from '../state/index.ts'

/** Whether a message is in flight that the next step would deliver. */
export function hasUndelivered({ master, shard }: Moment): boolean {
  const waits = (from: ChainState, to: ChainState): boolean =>
    !from.queue.queue.isEmpty && undelivered(from, to.id.workchain, readMarks(to.queue.processed)).next().done !== true
  return waits(shard, master) || waits(master, shard) || waits(shard, shard) || waits(master, master)
}
