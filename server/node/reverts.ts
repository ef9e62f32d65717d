// Reverts of a chain, as they show in the heads that it reports: the next one is not above the last, or says so.

import type { Chain } from './chain.ts'

/** Calls back after each revert, until the returned function is called; never for a chain that undoes no block. */
export function followReverts(chain: Pick<Chain, 'head' | 'onHead' | 'traits'>, onRevert: () => void): () => void {
  if (!chain.traits.canRewind) return () => undefined
  let newest: number | null = null
  const stop = chain.onHead((report) => {
    if (report.kind !== 'head') return
    const { seqno } = report.id
    if (report.isOther === true || (newest !== null && seqno <= newest)) onRevert()
    newest = seqno
  })
  chain.head().then(
    ({ id }) => {
      newest ??= id.seqno
    },
    () => undefined,
  )
  return stop
}
