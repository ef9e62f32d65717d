import { type ParsedAddress, parseAddress } from '../../../../shared/address.ts'
import { classifyText, type Recognised, searchedText } from '../../../../shared/explorer/classifyText.ts'
import { fromHex } from '../../../../shared/hex.ts'
import { clip } from '../../../../shared/primitives.ts'
import type { searchV3 } from '../../../../shared/v3/search.ts'
import type { Call, Handlers } from '../../call.ts'
import { keyOfAccount } from '../../keyOfAccount.ts'
import { operationNameOf } from '../../view/operationNameOf.ts'
import type { BookNeeds } from '../names/addressBook.ts'
import type { TokenMetadata } from '../names/metadata.ts'
import { addressBookFor, type SideObjects } from '../names/sideObjects.ts'
import { accountHit, type Hit, opcodeHit, type SearchFound } from './hits.ts'
import { accountRanges } from './keys.ts'
import { Lookups } from './lookups.ts'

type Of<K extends Recognised['kind']> = Extract<Recognised, { readonly kind: K }>

const OTHER_NETWORK =
  'This form is for test networks. The same account exists here separately, and may not be the one meant.'
const UNSEEN = 'The index has seen nothing at this address yet.'

/** The key of an address that is written out, of a damaged one too. */
const keyOfText = (text: string): Uint8Array | null => accountRanges(text)[0]?.from ?? null

async function atAddress(address: ParsedAddress, lookups: Lookups, testOnly: boolean): Promise<SearchFound> {
  const key = keyOfAccount(address)
  const { isIndexed, near } = await lookups.account(key)
  const note = address.testOnly && !testOnly ? OTHER_NETWORK : isIndexed ? null : UNSEEN
  return { hits: [accountHit(key, 'exact'), ...near], note }
}

async function damaged({ words }: Of<'wrong'>, text: string, lookups: Lookups): Promise<SearchFound> {
  const key = text.length === 48 || /^(?:-1|0):/.test(text) ? keyOfText(text) : null
  if (key === null) return { hits: [], note: words }
  const { isIndexed, near } = await lookups.account(key)
  return { hits: isIndexed ? [accountHit(key, 'nearest')] : near, note: words }
}

/** The domains above a subdomain that can be items, such as `alice.t.me` and `alice.ton`. */
function domainsAbove(name: string): readonly string[] {
  const labels = name.split('.')
  return [3, 2].flatMap((most) => (labels.length > most ? [labels.slice(-most).join('.')] : []))
}

async function domain({ name }: Of<'domain'>, lookups: Lookups): Promise<SearchFound> {
  const hits = await lookups.domain(name)
  if (hits.length > 0) return { hits, note: null }
  for (const above of domainsAbove(name)) {
    const near = await lookups.domain(above, 'nearest')
    if (near.length > 0) return { hits: near, note: `Nothing is known under “${clip(name)}”, but “${above}” is.` }
  }
  return lookups.nearestNames(name)
}

async function block(found: Of<'block'>, text: string, lookups: Lookups): Promise<SearchFound> {
  const { workchain, shard, seqno } = found.block
  const [{ hits, note }, names] = await Promise.all([
    lookups.block({ workchain, shard: BigInt.asIntN(64, BigInt(`0x${shard}`)), seqno }),
    lookups.names(text),
  ])
  return { hits: [...hits, ...names], note }
}

async function byText(text: string, lookups: Lookups): Promise<SearchFound> {
  const [names, beginnings] = await Promise.all([lookups.names(text), lookups.beginnings(text)])
  const hits = [...names, ...beginnings]
  return hits.length > 0 ? { hits, note: null } : lookups.nearestNames(text)
}

async function lookUp(text: string, lookups: Lookups, testOnly: boolean): Promise<SearchFound & { kind: KindOf }> {
  const found = classifyText(text)
  switch (found.kind) {
    case 'account': {
      const address = parseAddress(text)
      if (address === null) break
      return { kind: 'account', ...(await atAddress(address, lookups, testOnly)) }
    }
    case 'hash':
      return { kind: 'hash', ...(await lookups.hash(fromHex(found.hex) ?? new Uint8Array(32))) }
    case 'block':
      return { kind: 'block', ...(await block(found, text, lookups)) }
    case 'domain':
      return { kind: 'domain', ...(await domain(found, lookups)) }
    case 'opcode':
      return {
        kind: 'opcode',
        hits: [opcodeHit(found.opcode, operationNameOf(Number(found.opcode), true))],
        note: null,
      }
    case 'boc':
      return { kind: 'boc', hits: [], note: 'A bag of cells: v3.decode reads message bodies.' }
    case 'wrong':
      return { kind: 'wrong', ...(await damaged(found, text, lookups)) }
    case 'empty':
    case 'method':
    case 'text':
      break
  }
  return { kind: 'text', ...(await byText(text, lookups)) }
}

type KindOf = Awaited<ReturnType<Handlers<typeof searchV3>['v3.search']>>['kind']

/** Names of tokens come from their descriptions. */
function named(hit: Hit, metadata: TokenMetadata): Hit {
  if (hit.account === null || (hit.type !== 'jetton' && hit.type !== 'nft_collection')) return hit
  const wanted = hit.type === 'jetton' ? 'jetton_masters' : 'nft_collections'
  const info = metadata[hit.account]?.token_info.find(({ type }) => type === wanted)
  const { name = textIn(info?.extra, 'name'), symbol = textIn(info?.extra, 'symbol') } = info ?? {}
  return { ...hit, name, symbol }
}

const textIn = (extra: Readonly<Record<string, unknown>> | undefined, field: string): string | null => {
  const value = extra?.[field]
  return typeof value === 'string' ? value : null
}

export const searchHandlers = ({ store, testOnly }: BookNeeds, side: SideObjects): Handlers<typeof searchV3> => ({
  async 'v3.search'({ query, limit }, call: Call) {
    const { kind, hits, note } = await lookUp(searchedText(query), new Lookups(store, call, limit), testOnly)
    const best = hits.slice(0, limit)
    const accounts = best.flatMap(({ account }) => {
      const address = account === null ? null : parseAddress(account)
      return address === null ? [] : [keyOfAccount(address)]
    })
    const [book, metadata] = await Promise.all([addressBookFor(side, accounts, call), side.metadata(accounts, call)])
    return {
      kind,
      results: best.map((hit) => named(hit, metadata)),
      note,
      ...book,
      metadata: call.modifiers.noMetadata ? {} : metadata,
    }
  },
})
