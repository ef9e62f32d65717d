// Addresses are cheap: who has a whole network of them must not keep out those of other networks.

/** A network gives up a place when it has more than so many times those of the newcomer's. */
const MANY_TIMES = 2

export function byNetworks<P>(places: Iterable<P>, networkOf: (place: P) => string): ReadonlyMap<string, readonly P[]> {
  const networks = new Map<string, P[]>()
  for (const place of places) {
    const network = networkOf(place)
    const others = networks.get(network)
    if (others === undefined) networks.set(network, [place])
    else others.push(place)
  }
  return networks
}

/** Networks that have more than a few times `ours`, the newcomer counted; the largest first. */
export const crowdsBeyond = <P>(ours: number, networks: ReadonlyMap<string, readonly P[]>): (readonly P[])[] =>
  [...networks.values()].filter((some) => some.length > MANY_TIMES * (ours + 1)).sort((a, b) => b.length - a.length)
