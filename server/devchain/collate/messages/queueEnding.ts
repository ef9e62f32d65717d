// The queue a block leaves behind, and the mark that says how far it has processed its neighbours' messages.

import { emptyDict } from '../../../cell/index.ts'
import { dispatchQueueKind, type OutQueueInfo } from '../../../tlb/index.ts'
import { LAST_HASH, type ProcessedMark, queueSizeOf, readMarks, withMark, writeMarks } from '../../state/index.ts'
import type { Draft } from '../blockDraft.ts'

export interface QueueEnding {
  readonly info: OutQueueInfo
  readonly marks: readonly ProcessedMark[]
}

/** `refMcSeqno` is the masterchain block referred to, a masterchain block itself. */
export function endQueue(draft: Draft, refMcSeqno: number): QueueEnding {
  const { previous } = draft.plan
  const marks = nextMarks(draft, refMcSeqno)
  let size = queueSizeOf(previous)
  for (const [, value] of draft.queueChanges) size += value === null ? -1 : 1
  const queue = draft.usage.run(() => previous.queue.queue.update(draft.queueChanges))
  const extra = { dispatchQueue: emptyDict(dispatchQueueKind), queueSize: size }
  return { info: { queue, processed: writeMarks(marks), extra }, marks }
}

function nextMarks({ plan, lastProcessed, hasImportedAll }: Draft, mcSeqno: number): ProcessedMark[] {
  const marks = readMarks(plan.previous.queue.processed)
  if (lastProcessed !== null) return withMark(marks, { mcSeqno, ...lastProcessed })
  const seen = plan.master.lt
  // A full block may have imported nothing of what waits: a mark would say that all of it was processed.
  return seen === 0n || !hasImportedAll ? marks : withMark(marks, { mcSeqno, lt: seen - 1n, hash: LAST_HASH })
}
