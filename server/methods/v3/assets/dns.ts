import { fitsFriendly, parseAddress } from '../../../../shared/address.ts'
import { ApiError } from '../../../../shared/errors.ts'
import type { Params, Result } from '../../../../shared/registry.ts'
import type { dnsV3 } from '../../../../shared/v3/assets/dns.ts'
import {
  type AuctionFilter,
  type DnsFilter,
  type DnsRecordRow,
  dnsAuctionsRead,
  dnsRecordsRead,
  indexTimeRead,
  type PageKey,
  readAll,
  readNamedPage,
  readPage,
  type Sql,
} from '../../../store/index.ts'
import type { WritingHandlers } from '../../call.ts'
import { keyOfAccount, rawOfKey } from '../../keyOfAccount.ts'
import { openPage } from '../../paging.ts'
import { toDnsAuction, toDnsRecord } from '../../view/v3/assets/dns.ts'
import { present } from '../../view/v3/assets/fields.ts'
import { bookBeside, namesOnly, type SideObjects, sideObjectsFor } from '../names/sideObjects.ts'
import { type AddMember, writePage } from '../texts/writePage.ts'
import { addValues } from '../texts/writeRows.ts'
import { itemsBeside } from './itemsBeside.ts'

type Methods = typeof dnsV3
type Records = Result<Methods['v3.dns.records']>

const NEITHER = 'either wallet address or domain is required'
const BOTH = 'provide either wallet address or domain, not both'
const WRONG_AFTER = 'invalid after cursor'
const TWO_STARTS = 'use either after or offset, not both'

/** An empty name counts as absent. */
function filterOf({ wallet, domain }: Params<Methods['v3.dns.records']>): DnsFilter {
  if (wallet !== undefined && domain) throw new ApiError('invalidParams', BOTH, { param: 'domain' })
  if (wallet !== undefined) return { wallet }
  if (!domain) throw new ApiError('invalidParams', NEITHER)
  return { domain }
}

const TIME_DIGITS = 20
const INT64 = 2n ** 63n

/** The sort key a page ended at: the end of its last auction, and its item. */
function afterOf(text: string): PageKey {
  const bytes = Buffer.from(text, 'base64url')
  const [, time = '', address = ''] = /^(\d{20}):(.+)$/s.exec(bytes.toString()) ?? []
  const item = parseAddress(address)
  const isWhole = bytes.toString('base64url') === text && time !== '' && BigInt(time) < INT64
  if (!isWhole || item?.form !== 'raw' || !fitsFriendly(item)) {
    throw new ApiError('invalidParams', WRONG_AFTER, { param: 'after' })
  }
  return [BigInt(time), keyOfAccount(item)]
}

const toAfter = ({ auctionEnd, account }: DnsRecordRow): string =>
  Buffer.from(`${String(auctionEnd ?? 0n).padStart(TIME_DIGITS, '0')}:${rawOfKey(account)}`).toString('base64url')

const ENDS = {
  all: () => undefined,
  won: (now: number) => ({ until: now }),
  bidding: (now: number) => ({ after: now }),
}

function auctionFilter({ bidder, state }: Params<Methods['v3.dns.activeAuctions']>, now: number): AuctionFilter {
  return { bidder, ends: ENDS[state](now) }
}

export const dnsListHandlers = (store: Sql, side: SideObjects): WritingHandlers<Methods> => ({
  async 'v3.dns.records'(params, call) {
    const filter = filterOf(params)
    const { ask, cursor } = openPage('v3.dns.records', params)
    const { rows, next, sides } = await readNamedPage(store, dnsRecordsRead(filter, ask), namesOnly(call), call)
    const records: AddMember = (to) => addValues(rows, toDnsRecord, to)
    const page = { records, cursor: cursor(next), address_book: bookBeside(side, sides) }
    return await writePage<Records>(page, call)
  },

  async 'v3.dns.activeAuctions'({ after, ...params }, call) {
    if (after !== undefined && params.offset > 0) throw new ApiError('invalidParams', TWO_STARTS, { param: 'offset' })
    if (after !== undefined && params.cursor !== undefined) {
      throw new ApiError('invalidParams', 'use either after or cursor, not both', { param: 'cursor' })
    }
    const { ask, cursor } = openPage('v3.dns.activeAuctions', params)
    // Contracts go by the time of blocks, which an embedded chain may be far ahead with.
    const [time = 0] = await readAll(store, indexTimeRead(), call)
    const { bidder, limit } = params
    const start = after === undefined ? ask : { ...ask, after: afterOf(after) }
    const { rows, next } = await readPage(store, dnsAuctionsRead(auctionFilter(params, time), start), call)
    const accounts = rows.map(({ account }) => account)
    const items = await itemsBeside(store, params.include_nft_items ? accounts : [], call)
    const collections = [...items.values()].flatMap(({ row }) => present(row.collection))
    const named = [...accounts, ...collections, bidder]
    const last = rows.at(-1)
    return {
      auctions: rows.map((row) => toDnsAuction({ row, bidder, item: items.get(rawOfKey(row.account)) }, time)),
      next_cursor: last && rows.length === limit ? toAfter(last) : null,
      cursor: cursor(next),
      ...(await sideObjectsFor(side, rows.length === 0 ? [] : named, call)),
    }
  },
})
