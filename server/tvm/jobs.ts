// What the pool and its threads say to each other.

import type { TvmCode } from './tvmCode.ts'
import type { TvmConfig } from './tvmConfig.ts'
import type { TvmErrorCode } from './tvmError.ts'
import type { BlockContext, GetMethodResult, GetMethodRun, TransactionResult, TransactionRun } from './tvmRuns.ts'

export type Job =
  | { readonly kind: 'getMethod'; readonly configHash: string; readonly run: GetMethodRun }
  | {
      readonly kind: 'transaction'
      readonly configHash: string
      readonly block: BlockContext
      readonly run: TransactionRun
    }

export type JobResult = GetMethodResult | TransactionResult

/** Configurations are sent ahead, once, and named by their hash in jobs. */
export type ToWorker =
  | { readonly kind: 'config'; readonly config: TvmConfig }
  | { readonly kind: 'forget'; readonly configHash: string }
  /** Run if `turn` is still that of the progress words when the thread comes to it. */
  | { readonly kind: 'job'; readonly id: number; readonly turn: number; readonly job: Job }

export type FromWorker =
  /** With the system's number of the thread, where it is known. */
  | { readonly kind: 'ready'; readonly thread: string | null }
  | (Finished & { readonly kind: 'done'; readonly result: JobResult })
  | (Finished & { readonly kind: 'failed'; readonly code: TvmErrorCode; readonly text: string })

interface Finished {
  readonly id: number
  /** What the run took. */
  readonly ms: number
  /** Of the emulator, after it. */
  readonly memoryBytes: number
}

/** Where in the progress words. */
export const progressWords = { atWork: 0, turn: 1, count: 2 } as const

export interface WorkerSetup {
  readonly code: TvmCode
  /**
   * Two 32-bit words. The running job, 0 between jobs: the pool reads it when a time limit ends. The turn: when the
   * pool raises it, all jobs that were sent before and have not started are recalled.
   */
  readonly progress: SharedArrayBuffer
}
