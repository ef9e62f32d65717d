import { type Anycast, loadAddress, loadInternalAddress, type MessageAddress, type Slice } from '../cell/index.ts'
import { bitsText } from './leafReaders.ts'
import { type DecodedRecord, NOTHING, something } from './value.ts'

const anycastOf = (anycast: Anycast | null): DecodedRecord =>
  anycast === null
    ? NOTHING
    : something({
        '@type': 'anycast_info',
        depth: String(anycast.depth),
        rewrite_pfx: anycast.prefix.toString(2).padStart(anycast.depth, '0'),
      })

function shown(address: MessageAddress): DecodedRecord {
  if (address === null) return { '@type': 'addr_none' }
  const bits = address.kind === 'std' ? { bytes: address.hash, bits: 256 } : address.address
  if (address.kind === 'external')
    return { '@type': 'addr_extern', len: String(bits.bits), external_address: bitsText(bits) }
  return {
    '@type': `addr_${address.kind}`,
    anycast: anycastOf(address.anycast),
    ...(address.kind === 'var' ? { addr_len: String(bits.bits) } : {}),
    workchain_id: String(address.workchain),
    address: bitsText(bits),
  }
}

export const decodeAddress = (slice: Slice): DecodedRecord => shown(loadAddress(slice))

export const readInternalAddress = (slice: Slice): DecodedRecord => shown(loadInternalAddress(slice))
