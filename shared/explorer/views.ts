// The pages of the explorer by their paths: the service writes the first one a browser opens, the page's script the others.

import { fitsFriendly, parseAddress, toRawUpper } from '../address.ts'
import { toHex } from '../hex.ts'
import type { Network } from '../network.ts'
import { parseHash } from '../parseHash.ts'
import type { BlockPlace } from './blockQueries.ts'

interface Route {
  /** `:name` stands for one segment; others that lead to the same page behind the first. */
  readonly paths: readonly [string, ...string[]]
  /** Of the segment behind the name. */
  readonly title: (subject: string) => string
  /** Only for the embedded chain. */
  readonly devnet?: true
  /** The path has its hex digits, whatever the form it came in. */
  readonly isOfHash?: true
}

const page = (title: string, path: string, more: Partial<Route> = {}): Route => ({
  paths: [path],
  title: () => title,
  ...more,
})

export const MAIN_SHARD = '8000000000000000'

/** Raw form of an address in any form, or null. */
export function rawOf(text: string): string | null {
  const address = parseAddress(text)
  return address !== null && fitsFriendly(address) ? toRawUpper(address) : null
}

/** Hex of a hash in any form, or null. */
export function hexOf(text: string): string | null {
  const plain = text.replace(/^0x(?=[0-9a-f]{64}$)/i, '')
  const hash = parseHash(plain.length === 43 && /[+/]/.test(plain) ? `${plain}=` : plain)
  return hash && toHex(hash)
}

/** `-1:8000000000000000:352`, `(-1,8000000000000000,352)` as block ids are copied, or `352` for a masterchain block. */
export function parseBlockPlace(text: string): BlockPlace | null {
  const [, workchain = '-1', shard = MAIN_SHARD, seqno = ''] =
    /^\(?(?:(-1|0)[,:]([0-9a-f]{1,16})[,:])?(\d{1,10})\)?$/i.exec(text) ?? []
  const found = { workchain: Number(workchain), shard: shard.toUpperCase(), seqno: Number(seqno) }
  return seqno === '' || found.seqno >= 2 ** 31 ? null : found
}

const short = (text: string): string => (text.length > 16 ? `${text.slice(0, 6)}…${text.slice(-4)}` : text)

const ROUTES = {
  home: { paths: ['/', '/explorer'], title: () => 'Explorer' },
  account: {
    paths: [
      '/address/:account',
      '/account/:account',
      '/explorer/address/:account',
      '/jetton/:account',
      '/nft/:account',
    ],
    title: (text) => `Account ${short(text)}`,
  },
  transaction: {
    paths: ['/tx/:hash', '/transaction/:hash', '/explorer/tx/:hash'],
    title: (text) => `Transaction ${short(text)}`,
    isOfHash: true,
  },
  trace: {
    paths: ['/trace/:hash', '/explorer/trace/:hash'],
    title: (text) => `Trace ${short(text)}`,
    isOfHash: true,
  },
  block: {
    paths: ['/block/:block', '/explorer/block/:block'],
    title: (text) => `Block ${parseBlockPlace(text)?.seqno ?? short(text)}`,
  },
  search: page('Search', '/search'),
  status: page('Status', '/status'),
  wallets: page('Wallets', '/wallets', { devnet: true }),
  lab: page('Lab', '/lab', { devnet: true }),
  console: page('Console', '/console'),
  call: { paths: ['/console/:method'], title: (method) => method },
  cell: page('Cells', '/cell'),
  config: page('Configuration', '/config'),
  validators: page('Validators', '/validators'),
  pools: page('Nominator pools', '/pools'),
  pool: { paths: ['/pools/:account'], title: () => 'Nominator pool' },
} satisfies Readonly<Record<string, Route>>

export type PageName = keyof typeof ROUTES

/** The cast: the table's own names. */
const PAGES = Object.keys(ROUTES) as readonly PageName[]

export interface View {
  readonly page: PageName
  /** What the path names: an address, a hash, a block; empty for pages without. */
  readonly subject: string
  /** The path this page is known by. */
  readonly path: string
  readonly title: string
}

/** Large or small letters are one in the words of a path; what is behind them keeps its own. */
function subjectIn(pattern: string, path: string): string | null {
  const at = pattern.indexOf(':')
  if (at < 0) return pattern === path.toLowerCase() ? '' : null
  const subject = path.slice(0, at).toLowerCase() === pattern.slice(0, at) ? path.slice(at) : ''
  // In base64, a hash or an address may have some.
  return subject === '' || (subject.includes('/') && rawOf(subject) === null && hexOf(subject) === null)
    ? null
    : subject
}

const decoded = (path: string): string => {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

function viewIn(page: PageName, path: string): View | null {
  const route: Route = ROUTES[page]
  for (const pattern of route.paths) {
    const subject = subjectIn(pattern, path)
    if (subject !== null) {
      const plain = route.isOfHash ? (hexOf(subject) ?? subject) : subject
      const known = route.paths[0].replace(/:\w+$/, () => plain)
      return { page, subject: plain, path: known, title: route.title(plain) }
    }
  }
  return null
}

/** The page at a path below the address of the service; null when there is none on this network. */
export function viewOf(path: string, network: Network): View | null {
  // A link that was pasted together can have a gap around its subject.
  const plain = decoded(path).replace(/(?<=\/)\s+|(?<=^.|[^\s/])[\s/]+$/g, '')
  for (const page of PAGES) {
    const { devnet }: Route = ROUTES[page]
    const view = devnet && network !== 'devnet' ? null : viewIn(page, plain)
    if (view !== null) return view
  }
  // Other explorers have the address right behind the host.
  return rawOf(plain.slice(1)) === null ? null : viewOf(`/address${plain}`, network)
}
