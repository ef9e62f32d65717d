// Which connection is closed when a listener has as many as it may and one more comes. Anyone can open one, and addresses are cheap, so
// they are counted by network: clients of a few networks must not keep out those of others.

import { byNetworks, crowdsBeyond } from '../../fairness/index.ts'

/** What is looked at of a connection. */
export interface HoldsPlace {
  /** By `wideNetworkOf`. */
  readonly wideNetwork: string
  /** Whether its hello was good. */
  readonly isGreeted: boolean
  /** When its hello was good, or its last query came. */
  readonly askedAt: number
}

/** Places for those who say hello only now: one in so many. */
const ONE_SILENT_IN = 8
/** Without a query for this long, any connection may have to leave. */
const QUIET_MS = 30_000

function longestQuiet<P extends HoldsPlace>(peers: readonly P[]): P | undefined {
  let [quiet] = peers
  for (const peer of peers) if (quiet === undefined || peer.askedAt < quiet.askedAt) quiet = peer
  return quiet
}

/**
 * `newcomer` is its wide network. Of those that are there, the oldest first; none when everyone has as good a right to be there as the
 * newcomer.
 */
export function whoLeaves<P extends HoldsPlace>(newcomer: string, peers: readonly P[], now: number): P | undefined {
  const silent = peers.filter(({ isGreeted }) => !isGreeted)
  if (silent.length * ONE_SILENT_IN >= peers.length) return silent[0]
  const greeted = peers.filter(({ isGreeted }) => isGreeted)
  const networks = byNetworks(greeted, ({ wideNetwork }) => wideNetwork)
  const ours = networks.get(newcomer)?.length ?? 0
  const [largest] = crowdsBeyond(ours, networks)
  if (largest !== undefined) return longestQuiet(largest)
  // A crowd does not wear out smaller networks.
  const quiet = longestQuiet([...networks.values()].filter((some) => some.length >= ours).flat())
  return quiet !== undefined && now - quiet.askedAt >= QUIET_MS ? quiet : silent[0]
}
