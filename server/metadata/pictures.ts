// Pictures of tokens. They are fetched by the rules of descriptions and passed on only when their first bytes are those of a
// picture that a browser can show: markup, such as SVG, is refused whatever it is called.

import { LRUCache } from 'lru-cache'
import { LeanAbort } from '../process/index.ts'
import { FetchError } from './fetchError.ts'
import { type FetchRules, fetchPublic } from './fetchPublic.ts'
import { linkShareOf } from './linkShare.ts'
import { type PictureCaller, PictureLanes } from './pictureLanes.ts'
import { describePicture } from './pictureSize.ts'
import { SilentHosts } from './silentHosts.ts'
import { targetOf } from './uri.ts'

export interface Picture {
  readonly type: string
  readonly bytes: Buffer
}

export interface PicturesOptions {
  /** Gateway for `ipfs:` links: an https address. */
  readonly ipfsGateway: string
  /** Without it no host is called, and only links that hold their picture lead to one. */
  readonly fetches?: boolean
  readonly rules?: FetchRules
}

/** Null when the link leads to no picture, or to none for now. Rejects as PictureLanes do. */
type Fetch = (link: string, caller: PictureCaller) => Promise<Picture | null>

const MOST_BYTES = 2 << 20
const CACHE_BYTES = 32 << 20
const KEPT_MS = 86_400_000
/** A fetch is for all callers that come during it, and ends by its own time limit. */
const NEVER = new LeanAbort().signal

/** A browser unpacks a picture to four bytes a pixel, and a page shows dozens. */
const MOST_PIXELS = 4096 * 4096

function pictureOf(bytes: Uint8Array): Picture | null {
  const file = Buffer.from(bytes)
  const described = describePicture(file)
  return described === null || described.pixels > MOST_PIXELS ? null : { type: described.type, bytes: file }
}

const DATA = /^data:image\/[\w.+-]+;base64,/i

export function createPictures({ ipfsGateway, fetches = true, rules = {} }: PicturesOptions): Fetch {
  const cache = new LRUCache<string, { readonly picture: Picture | null }>({
    maxSize: CACHE_BYTES,
    ttl: KEPT_MS,
    sizeCalculation: ({ picture }, link) => (picture?.bytes.length ?? 0) + link.length,
  })
  const running = new Map<string, Promise<Picture | null>>()
  const { silent = new SilentHosts() } = rules
  const fetchRules = { ...rules, silent, mostBytes: MOST_BYTES, types: null }
  const lanes = new PictureLanes()

  async function load(link: string): Promise<Picture | null> {
    let picture: Picture | null = null
    try {
      const target = targetOf(link, ipfsGateway)
      if (target.kind === 'https') picture = pictureOf(await fetchPublic(target.url, fetchRules, NEVER))
    } catch (error) {
      if (!(error instanceof FetchError)) throw error
      // Not cached: the host may answer another time.
      if (error.code !== 'refused') return null
    }
    cache.set(link, { picture })
    return picture
  }

  /** What is in the cache, or being fetched for someone; undefined for neither. */
  const found = (link: string): Picture | null | Promise<Picture | null> | undefined => {
    const known = cache.get(link)
    return known === undefined ? running.get(link) : known.picture
  }

  async function loaded(link: string): Promise<Picture | null> {
    const meanwhile = found(link)
    if (meanwhile !== undefined) return await meanwhile
    const loading = load(link).finally(() => running.delete(link))
    running.set(link, loading)
    return await loading
  }

  return async (link, caller) => {
    const data = DATA.exec(link)?.[0]
    if (data !== undefined) return pictureOf(Buffer.from(link.slice(data.length), 'base64'))
    if (!fetches) return null
    const known = found(link)
    if (known !== undefined) return await known
    const share = linkShareOf(link, ipfsGateway)
    return silent.isResting(share.host) ? null : await lanes.run(share, caller, () => loaded(link))
  }
}
