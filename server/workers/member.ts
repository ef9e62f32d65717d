// One worker at the owner: how late its answers to checks are, and the end of a worker that is stuck.

import type { ChildProcess } from 'node:child_process'
import type { ConnectionSeat } from '../http/index.ts'
import type { Log } from '../observe/index.ts'
import { ChannelClosed, type WorkerChannel } from './workerChannel.ts'
import type { WorkerAnswers, WorkerCounts, WorkerTakes } from './workerProtocol.ts'

export interface Member {
  readonly number: number
  readonly child: Pick<ChildProcess, 'killed' | 'kill'>
  readonly channel: Pick<WorkerChannel<WorkerAnswers, WorkerTakes>, 'ask'>
  /** Its connections. */
  readonly seats: Pick<ReadonlyMap<number, ConnectionSeat>, 'size'>
  isReady: boolean
  /** Checks since it answered the last one. They are counted, not timed: a process that was stopped itself finds no worker late. */
  missed: number
  counts: WorkerCounts | null
}

/** One that answered neither the check before nor this one gets no new connections. */
const MOST_SLOW = 1
/** One that answers none of so many is ended: its callers can connect again. */
const MOST_MISSED = 15
/** One that has begun may wait for a disk, or for the processor of a machine that starts everything at once. */
const MOST_AT_START = 60

/** Checks each, and ends those that have not answered for too long. To be called at equal intervals. */
export function checkAll(members: Iterable<Member>, log: Pick<Log, 'error'>): void {
  for (const member of members) {
    if (member.child.killed) continue
    if (member.missed >= (member.isReady ? MOST_MISSED : MOST_AT_START)) {
      const what = member.isReady ? 'stuck' : 'is not ready after all this time'
      log.error({ worker: member.number, checks: member.missed }, `worker process ${what}: it is ended`)
      member.child.kill('SIGKILL')
      continue
    }
    member.missed++
    if (member.isReady && member.missed === 1) check(member)
  }
}

function check(member: Member): void {
  member.channel.ask('counts', null).then(
    (counts) => {
      member.counts = counts
      member.missed = 0
    },
    // An error is an answer. Without a channel it has ended, or is of no use any more.
    (error: unknown) => {
      if (!(error instanceof ChannelClosed)) member.missed = 0
    },
  )
}

/** The one with the fewest connections of those that answer; null without any. */
export function leastBusy<M extends Member>(members: Iterable<M>): M | null {
  let least: M | null = null
  for (const member of members) {
    const answers = member.isReady && member.missed <= MOST_SLOW
    if (answers && (least === null || member.seats.size < least.seats.size)) least = member
  }
  return least
}
