// Records of DNS (TEP-81), and the dictionaries a name keeps them in.

import {
  type BinaryHash,
  Builder,
  type Cell,
  Dict,
  dictHashKey,
  dictKind,
  loadAddress,
  openCell,
  type Slice,
  type StdAddress,
  sliceValue,
  stdAddress,
} from '../../cell/index.ts'
import { utf8Text } from '../content/snake.ts'
import { loadHash, TlbError, unknownTag } from '../fields.ts'
import { addressedAccount } from '../message/addressedAccount.ts'

export type DnsRecord =
  | { readonly kind: 'smcAddress'; readonly address: StdAddress; readonly flags: number }
  | { readonly kind: 'nextResolver'; readonly address: StdAddress }
  | { readonly kind: 'adnlAddress'; readonly adnl: Uint8Array; readonly flags: number }
  | { readonly kind: 'storageAddress'; readonly bagId: Uint8Array }
  | { readonly kind: 'text'; readonly text: string }

const SMC_ADDRESS = 0x9fd3
const NEXT_RESOLVER = 0xba93
const ADNL_ADDRESS = 0xad01
const STORAGE_ADDRESS = 0x7473
const TEXT = 0x1eda

/** Of the account that a message to the address reaches: it may be written the long way. */
function loadStdAddress(slice: Slice): StdAddress {
  const account = addressedAccount(loadAddress(slice))
  if (account === null) throw new TlbError('value', 'a record names an address that an account can have')
  return stdAddress(account.workchain, account.id)
}

/** There are contracts that write none. */
const loadFlags = (slice: Slice): number => (slice.remainingBits < 8 ? 0 : slice.loadUint(8))

/** `Text`: a number of chunks, each in a cell of its own but for the first. */
function loadText(slice: Slice): string {
  const parts: Uint8Array[] = []
  let at = slice
  for (let left = slice.loadUint(8); left > 0; left--) {
    parts.push(at.loadBytes(at.loadUint(8)))
    if (left > 1) at = openCell(at.loadRef())
  }
  const text = utf8Text(Buffer.concat(parts))
  if (text === null) throw new TlbError('value', 'the text of a record is not in UTF-8')
  return text
}

/** The lists of capabilities and protocols behind the flags are left where they are. */
export function loadDnsRecord(slice: Slice): DnsRecord {
  const tag = slice.loadUint(16)
  switch (tag) {
    case SMC_ADDRESS:
      return { kind: 'smcAddress', address: loadStdAddress(slice), flags: loadFlags(slice) }
    case NEXT_RESOLVER:
      return { kind: 'nextResolver', address: loadStdAddress(slice) }
    case ADNL_ADDRESS:
      return { kind: 'adnlAddress', adnl: loadHash(slice), flags: loadFlags(slice) }
    case STORAGE_ADDRESS:
      return { kind: 'storageAddress', bagId: loadHash(slice) }
    case TEXT:
      return { kind: 'text', text: loadText(slice) }
    default:
      return unknownTag(tag, 'DNSRecord')
  }
}

const recordsKind = dictKind(dictHashKey, sliceValue)

/** A few cells that share subtrees can claim any number. */
const MOST_RECORDS = 1000

/** They are behind a reference; some contracts keep them in the leaf itself. */
const recordCell = (leaf: Slice): Cell =>
  leaf.remainingBits === 0 && leaf.remainingRefs > 0 ? leaf.loadRef() : new Builder().storeSlice(leaf).end()

/** All records of a name by category, out of the root of their dictionary. Each may be anything. */
export function dnsRecords(root: Cell): Map<BinaryHash, Cell> {
  const records = new Map<BinaryHash, Cell>()
  for (const [category, leaf] of new Dict(recordsKind, root)) {
    if (records.size === MOST_RECORDS) throw new TlbError('value', `a name has over ${MOST_RECORDS} records`)
    records.set(category, recordCell(leaf))
  }
  return records
}
