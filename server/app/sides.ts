import type { AbiBook } from '../methods/index.ts'
import type { ChainService } from './chainService.ts'
import type { IndexService } from './indexService.ts'
import type { Tracing } from './tracing.ts'

/** What the methods of a service are made of. */
export interface Sides {
  readonly chain: ChainService
  readonly index: IndexService
  /** Names and ABIs of contracts it was given. */
  readonly abis: AbiBook
  /** Null when nothing is traced. */
  readonly tracing: Tracing | null
  /** Aborted when the service stops. */
  readonly stopping: AbortSignal
}
