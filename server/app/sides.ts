import type { AbiBook } from '../methods/index.ts'
import type { ChainService } from './chainService.ts'
import type { IndexService } from './indexService.ts'

/** What the methods of a service are made of. */
export interface Sides {
  readonly chain: ChainService
  readonly index: IndexService
  /** Names and ABIs of contracts it was given. */
  readonly abis: AbiBook
  /** Aborted when the service stops. */
  readonly stopping: AbortSignal
}
