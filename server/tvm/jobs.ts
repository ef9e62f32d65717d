// What the pool and its threads say to each other.

import type { TvmConfig } from './config.ts'
import type { TvmErrorCode } from './errors.ts'
import type { BlockContext, GetMethodResult, GetMethodRun, TransactionResult, TransactionRun } from './runs.ts'
import type { TvmCode } from './tvmCode.ts'

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
  | { readonly kind: 'job'; readonly id: number; readonly job: Job }

export type FromWorker =
  | { readonly kind: 'ready' }
  | { readonly kind: 'done'; readonly id: number; readonly result: JobResult; readonly memoryBytes: number }
  | {
      readonly kind: 'failed'
      readonly id: number
      readonly code: TvmErrorCode
      readonly text: string
      readonly memoryBytes: number
    }

export interface WorkerSetup {
  readonly code: TvmCode
  /** One 32-bit word: the job at work, 0 between jobs. The pool looks at it when its clock runs out. */
  readonly progress: SharedArrayBuffer
}
