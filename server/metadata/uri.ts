// Where a description lies, by the link in a contract.

import { FetchError } from './fetchError.ts'

/** A link is fetched, data are there already. */
export type UriTarget =
  | { readonly kind: 'https'; readonly url: URL }
  | { readonly kind: 'data'; readonly bytes: Uint8Array }

const LONGEST_LINK = 2048
const IPFS = /^ipfs:\/\/(?:ipfs\/)?([^/?#]+)(.*)$/i
const DATA = /^data:([^,]*),(.*)$/is

function dataOf(head: string, body: string): Uint8Array {
  if (!/^(?:application\/json|text\/plain)?(?:;|$)/i.test(head))
    throw new FetchError('refused', 'the content type of the data: link is not JSON')
  try {
    return Buffer.from(
      /;\s*base64$/i.test(head) ? Buffer.from(decodeURIComponent(body), 'base64') : decodeURIComponent(body),
    )
  } catch (cause) {
    throw new FetchError('refused', 'the data: link cannot be decoded', { cause })
  }
}

/** `https:` as it is, `ipfs:` by a gateway, `data:` at once. Throws FetchError `refused` for anything else. */
export function targetOf(uri: string, gateway: string): UriTarget {
  const text = uri.trim()
  const data = DATA.exec(text)
  if (data !== null) return { kind: 'data', bytes: dataOf(data[1] ?? '', data[2] ?? '') }
  if (text.length > LONGEST_LINK) throw new FetchError('refused', `the link is longer than ${LONGEST_LINK} characters`)
  const ipfs = IPFS.exec(text)
  const content = `${gateway.replace(/\/+$/, '')}/ipfs/`
  const link = ipfs === null ? text : `${content}${ipfs[1]}${ipfs[2]}`
  const url = URL.canParse(link) ? new URL(link) : null
  if (url?.protocol !== 'https:') throw new FetchError('refused', 'the link is neither https, ipfs nor data')
  // By way of `..` it could name any page of the gateway.
  if (ipfs !== null && !url.href.startsWith(new URL(content).href))
    throw new FetchError('refused', 'the link leads to something else than content of IPFS')
  if (url.username !== '' || url.password !== '') throw new FetchError('refused', 'the link holds a password')
  return { kind: 'https', url }
}
