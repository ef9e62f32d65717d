// Whose share of the fetches a link takes: that of a site, the last two labels of a name, because the names below those cost
// nothing. Within a site its hosts have shares, because many sites are home to strangers.

import { isIP } from 'node:net'
import { FetchError } from './fetchError.ts'
import { hostOf } from './silentHosts.ts'
import { targetOf } from './uri.ts'

export interface LinkShare {
  readonly site: string
  readonly host: string
}

const DATA: LinkShare = { site: 'data:', host: 'data:' }
const NONE: LinkShare = { site: 'none', host: 'none' }

function siteOf({ hostname }: URL): string {
  const name = hostname.replace(/\.$/, '')
  // Of addresses anybody may have thousands.
  if (isIP(name.replace(/^\[|\]$/g, '')) !== 0) return 'addresses'
  return name.split('.').slice(-2).join('.')
}

/** The beginning of a link is enough, up to the path. */
export function linkShareOf(link: string, gateway: string): LinkShare {
  // Data may be cut off here.
  if (/^\s*data:/i.test(link)) return DATA
  try {
    const target = targetOf(link, gateway)
    if (target.kind === 'data') return DATA
    const isIpfs = /^\s*ipfs:/i.test(link)
    return { site: isIpfs ? 'ipfs:' : siteOf(target.url), host: hostOf(target.url) }
  } catch (error) {
    // No request is made for it, unless it was cut off before its host.
    if (error instanceof FetchError) return NONE
    throw error
  }
}
