// The newest masterchain block this process knows of.

import type { Chain } from '../node/index.ts'

export interface ChainSeqno {
  /** Null before the first block, and while no server answers. */
  readonly seqno: () => number | null
  stop(): void
}

/** Follows the heads of a chain; calls back with each. */
export function followChainSeqno(chain: Pick<Chain, 'head' | 'onHead'> | undefined, onReport: () => void): ChainSeqno {
  let newest: number | null = null
  const stop = chain?.onHead((report) => {
    if (report.kind === 'head') newest = report.id.seqno
    onReport()
  })
  // Heads are reported from the next one on. Without servers there is none yet, and calls say so.
  chain?.head().then(
    ({ id }) => {
      newest ??= id.seqno
    },
    () => undefined,
  )
  return { seqno: () => newest, stop: () => stop?.() }
}
