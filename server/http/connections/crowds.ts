// Addresses are cheap: who has a whole network of them must not keep out those of other networks.

/** A network gives up a place when it has more than so many times those of the newcomer's. */
const MANY_TIMES = 2

/** What one owner may have of addresses, at little cost: 24 bits of IPv4, 48 of IPv6. Takes what `subjectOf` returns. */
export const ownersNetwork = (subject: string): string =>
  subject.includes(':') ? subject.split(':', 3).join(':') : subject.slice(0, subject.lastIndexOf('.'))

interface OfNetwork {
  readonly network: string
}

export function byNetworks<S extends OfNetwork>(seats: Iterable<S>): ReadonlyMap<string, readonly S[]> {
  const networks = new Map<string, S[]>()
  for (const seat of seats) {
    const others = networks.get(seat.network)
    if (others === undefined) networks.set(seat.network, [seat])
    else others.push(seat)
  }
  return networks
}

/** Networks that have more than a few times `ours`, the newcomer counted; the largest first. */
export const crowdsBeyond = <S>(ours: number, networks: ReadonlyMap<string, readonly S[]>): (readonly S[])[] =>
  [...networks.values()].filter((some) => some.length > MANY_TIMES * (ours + 1)).sort((a, b) => b.length - a.length)
