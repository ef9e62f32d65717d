// Counts the links that wait in memory, by site and host, so that no site and no host takes all the room.

import type { LinkShare } from './linkShare.ts'

export interface WaitingLimits {
  readonly most: number
  /** Of one site. */
  readonly ofSite: number
}

interface Site {
  size: number
  readonly hosts: Map<string, number>
}

export class WaitingLinks {
  readonly #limits: WaitingLimits
  readonly #sites = new Map<string, Site>()
  #size = 0

  constructor(limits: WaitingLimits) {
    this.#limits = limits
  }

  get isEmpty(): boolean {
    return this.#size === 0
  }

  /** A site has up to its limit, or a quarter of what others leave; a host up to half of the limit of its site. */
  hasRoom({ site, host }: LinkShare): boolean {
    const { most, ofSite } = this.#limits
    const { size = 0, hosts } = this.#sites.get(site) ?? {}
    return size < Math.min(ofSite, (most - this.#size) / 4) && (hosts?.get(host) ?? 0) < ofSite - size
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
