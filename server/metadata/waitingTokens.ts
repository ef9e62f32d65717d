// How many tokens wait in memory, by site and host: nobody's fill it, so that there is room for those of others.

import type { LinkShare } from './linkShare.ts'

const MOST = 4_000
const MOST_OF_SITE = 800

interface Site {
  size: number
  readonly hosts: Map<string, number>
}

export class WaitingTokens {
  readonly #sites = new Map<string, Site>()
  #size = 0

  /** A site has up to a fifth of the places, or a quarter of what others leave; a host up to half of those of its site. */
  hasRoom({ site, host }: LinkShare): boolean {
    const { size = 0, hosts } = this.#sites.get(site) ?? {}
    const ofSite = Math.min(MOST_OF_SITE, (MOST - this.#size) / 4)
    return size < ofSite && (hosts?.get(host) ?? 0) < MOST_OF_SITE - size
  }

  enter({ site, host }: LinkShare): void {
    const found = this.#sites.get(site) ?? { size: 0, hosts: new Map() }
    this.#sites.set(site, found)
    found.hosts.set(host, (found.hosts.get(host) ?? 0) + 1)
    found.size++
    this.#size++
  }

  leave({ site, host }: LinkShare): void {
    const found = this.#sites.get(site)
    if (found === undefined) return
    const left = (found.hosts.get(host) ?? 1) - 1
    if (left > 0) found.hosts.set(host, left)
    else found.hosts.delete(host)
    if (--found.size === 0) this.#sites.delete(site)
    this.#size--
  }
}
