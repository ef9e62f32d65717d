// Records of DNS as they go over the wire: in the content of an item, and as a result of their own.

import type { z } from 'zod'
import { crc16 } from '../../../shared/address.ts'
import { toBase64 } from '../../../shared/base64.ts'
import { ApiError } from '../../../shared/errors.ts'
import { toHex } from '../../../shared/hex.ts'
import type { Result } from '../../../shared/registry.ts'
import type { dnsV2 } from '../../../shared/v2/dns.ts'
import type { DnsRecordOfItem } from '../../../shared/v2/tokens.ts'
import { type Cell, hashToBytes, openCell, orNull, type StdAddress, writeBocText } from '../../cell/index.ts'
import { type DnsRecord, loadDnsRecord } from '../../tlb/index.ts'
import type { DnsEntry } from '../dns/resolve.ts'
import { toAddress } from './message.ts'
import { bounceableText } from './texts.ts'

type Resolved = Result<typeof dnsV2.dnsResolve>
type EntryData = Resolved['entries'][number]['entry']

const toStdAddress = ({ workchain, hash }: StdAddress) =>
  ({ '@type': 'addr_std', workchain_id: workchain, address: toHex(hash) }) as const

/** Null for texts, which have no form there. */
export function toRecordOfItem(record: DnsRecord): z.output<typeof DnsRecordOfItem> | null {
  switch (record.kind) {
    case 'smcAddress':
      return { '@type': 'dns_smc_address', smc_addr: toStdAddress(record.address) }
    case 'nextResolver':
      return { '@type': 'dns_next_resolver', resolver: toStdAddress(record.address) }
    case 'adnlAddress':
      return { '@type': 'dns_adnl_address', adnl_addr: toHex(record.adnl) }
    case 'storageAddress':
      return { '@type': 'dns_storage_address', bag_id: toHex(record.bagId) }
    case 'text':
      return null
  }
}

/** Bounceable. */
export const friendlyOf = ({ workchain, hash }: StdAddress): string => bounceableText(workchain, hash)

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567'
const ADNL_TAG = 0x2d

/** 55 letters and digits: base32 of a tag, the address and its CRC16, without the `f` that all begin with. */
function adnlText(adnl: Uint8Array): string {
  const body = Buffer.concat([Uint8Array.of(ADNL_TAG), adnl])
  const crc = crc16(body)
  let text = ''
  let held = 0
  let bits = 0
  for (const byte of [...body, crc >> 8, crc & 0xff]) {
    held = ((held << 8) | byte) & 0xfff
    for (bits += 8; bits >= 5; bits -= 5) text += BASE32.charAt((held >> (bits - 5)) & 31)
  }
  return text.slice(1)
}

function toEntryData(record: DnsRecord): EntryData {
  switch (record.kind) {
    case 'smcAddress':
      return { '@type': 'dns.entryDataSmcAddress', smc_address: toAddress(friendlyOf(record.address)) }
    case 'nextResolver':
      return { '@type': 'dns.entryDataNextResolver', resolver: toAddress(friendlyOf(record.address)) }
    case 'adnlAddress':
      return {
        '@type': 'dns.entryDataAdnlAddress',
        adnl_address: { '@type': 'adnlAddress', adnl_address: adnlText(record.adnl) },
      }
    case 'storageAddress':
      return { '@type': 'dns.entryDataStorageAddress', bag_id: toBase64(record.bagId) }
    case 'text':
      return { '@type': 'dns.entryDataText', text: record.text }
  }
}

/** Bytes of all texts and unknown records in one answer. */
const MOST_BYTES = 1 << 20

/** A record of an unknown form, as its cell. */
const toUnknown = (cell: Cell): EntryData => ({ '@type': 'dns.entryDataUnknown', bytes: writeBocText(cell) })

/** Throws ApiError `replyTooLarge`. */
export function toResolved(entries: readonly DnsEntry[]): Resolved {
  let room = MOST_BYTES
  return {
    '@type': 'dns.resolved',
    entries: entries.map(({ name, category, record }) => {
      const known = orNull(() => loadDnsRecord(openCell(record)))
      const entry = known === null ? toUnknown(record) : toEntryData(known)
      if (entry['@type'] === 'dns.entryDataUnknown') room -= entry.bytes.length
      if (entry['@type'] === 'dns.entryDataText') room -= entry.text.length
      if (room < 0) throw new ApiError('replyTooLarge', `the records of the name hold over ${MOST_BYTES} bytes`)
      return { '@type': 'dns.entry', name, category: toBase64(hashToBytes(category)), entry }
    }),
  }
}
