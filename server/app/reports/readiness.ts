// Whether the service answers, of both of its sides.

import type { ChainService } from '../chain/chainService.ts'
import type { IndexService } from '../database/indexService.ts'
import type { Sharing } from '../openSharing.ts'
import { slowTvm } from './tvmReport.ts'

export interface ServiceReadiness {
  readonly ready: boolean
  readonly checks: {
    readonly chain?: string
    readonly index?: string
    readonly tvm?: string
    readonly process?: string
    readonly redis?: string
  }
}

/** Why each side is not ready at the start; an index that is being opened is no fault. */
export interface StartTrouble {
  readonly chain: string | null
  readonly index: string | null
}

interface Sides {
  readonly chain?: ChainService
  readonly index?: IndexService
  readonly sharing?: Pick<Sharing, 'words'> | null
}

export async function readinessOf({ chain, index, sharing = null }: Sides): Promise<ServiceReadiness> {
  const ofChain = chain?.readiness()
  const ofIndex = await index?.readiness()
  const slow = chain === undefined ? null : slowTvm(chain.pool)
  return {
    ready: (ofChain?.ready ?? true) && (ofIndex?.ready ?? true),
    checks: {
      ...(ofChain && { chain: ofChain.words }),
      ...(ofIndex && { index: ofIndex.words }),
      ...(sharing && { redis: sharing.words }),
      // Answers are the same, only later.
      ...(slow !== null && { tvm: `slow: ${slow}` }),
    },
  }
}

export async function startTroubleOf({ chain, index }: Sides): Promise<StartTrouble> {
  const ofChain = chain?.readiness()
  const ofIndex = await index?.readiness()
  return {
    chain: ofChain === undefined || ofChain.ready ? null : ofChain.words,
    index: ofIndex === undefined || ofIndex.ready || ofIndex.isStarting === true ? null : ofIndex.words,
  }
}
