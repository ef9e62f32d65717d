// One worker as the owner sees it, and the end of those that answer no more.

import type { ChildProcess } from 'node:child_process'
import type { Seat } from '../http/index.ts'
import type { Log } from '../observe/index.ts'
import type { WorkerChannel } from './workerChannel.ts'
import type { WorkerAnswers, WorkerCounts, WorkerTakes } from './workerProtocol.ts'

export interface Member {
  readonly number: number
  readonly child: ChildProcess
  readonly channel: WorkerChannel<WorkerAnswers, WorkerTakes>
  /** Its connections. */
  readonly seats: Map<number, Seat>
  isReady: boolean
  /** Whether it has yet to answer a check; when it last answered one. */
  isAsked: boolean
  answeredAt: number
  counts: WorkerCounts | null
}

interface Limits {
  /** Milliseconds. */
  readonly stuckMs: number
  readonly log: Pick<Log, 'error'>
}

/** Checks each, and ends those that have not answered for too long: their callers can connect again. */
export function endStuck(members: Iterable<Member>, { stuckMs, log }: Limits): void {
  const now = performance.now()
  for (const member of members) {
    if (!member.isReady || member.child.killed) continue
    if (now - member.answeredAt > stuckMs) {
      log.error({ worker: member.number, ms: stuckMs }, 'worker process stuck: it is ended')
      member.child.kill('SIGKILL')
    } else if (!member.isAsked) check(member)
  }
}

function check(member: Member): void {
  member.isAsked = true
  member.channel.ask('counts', null).then(
    (counts) => {
      member.counts = counts
      member.answeredAt = performance.now()
      member.isAsked = false
    },
    // It has ended.
    () => undefined,
  )
}
