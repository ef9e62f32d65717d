// A record of a name is set or deleted, or the name is renewed for a year.

import { dns } from '../../../bodies/index.ts'
import { type Cell, openCell, orNull } from '../../../cell/index.ts'
import { type DnsRecord, loadDnsRecord } from '../../../tlb/index.ts'
import type { DetailValue } from '../../action.ts'
import { Kind } from '../../actionKind.ts'
import { envelopeOf, isBounce, isCall } from '../../base.ts'
import { addressText, fieldsOf, hexOfBytes, readBody } from '../../reading.ts'
import { Picked, type Rule } from '../../rule.ts'
import { keepsRecords } from './items.ts'

const NO_KEY = '0'.repeat(64)

interface Change {
  readonly source: string | null
  readonly item: string | null
  readonly collection: string | null
  /** Hex. */
  readonly key: string
  /** Null when the record is taken away. */
  readonly record: Cell | null
}

/** All that a record may say, null what this one does not. */
function shownRecord(cell: Cell): DetailValue {
  const record = orNull(() => loadDnsRecord(openCell(cell)))
  return {
    sum_type: record === null ? 'Unknown' : SUM_TYPES[record.kind],
    dns_smc_address: record?.kind === 'smcAddress' ? addressText(record.address) : null,
    dns_adnl_address: record?.kind === 'adnlAddress' ? hexOfBytes(record.adnl) : null,
    dns_text: record?.kind === 'text' ? record.text : null,
    dns_next_resolver_address: record?.kind === 'nextResolver' ? addressText(record.address) : null,
    dns_storage_address: record?.kind === 'storageAddress' ? hexOfBytes(record.bagId) : null,
    flags: record?.kind === 'smcAddress' || record?.kind === 'adnlAddress' ? record.flags : null,
  }
}

const SUM_TYPES: Readonly<Record<DnsRecord['kind'], string>> = {
  nextResolver: 'DNSNextResolver',
  adnlAddress: 'DNSAdnlAddress',
  smcAddress: 'DNSSmcAddress',
  storageAddress: 'DNSStorageAddress',
  text: 'DNSText',
}

const roles = ({ source, item, collection }: Change) => ({
  source,
  destination: item,
  asset: collection,
  assetSecondary: item,
})

const CHANGE_DNS = new Kind<Change>({
  type: 'change_dns',
  describe: (change) => ({
    roles: roles(change),
    details: {
      key: change.key,
      value: change.record === null ? null : shownRecord(change.record),
      source: change.source,
      asset: change.item,
      nft_collection: change.collection,
    },
  }),
})

const DELETE_DNS = new Kind<Change>({
  type: 'delete_dns',
  describe: (change) => ({
    roles: roles(change),
    details: { hash: change.key, source: change.source, asset: change.item, nft_collection: change.collection },
  }),
})

const RENEW_DNS = new Kind<Change>({
  type: 'renew_dns',
  describe: (change) => ({
    roles: roles(change),
    details: { source: change.source, asset: change.item, nft_collection: change.collection },
  }),
})

const readChange = fieldsOf(dns.changeRecord, 'key', 'value')

/**
 * Invariant: an account known to resolve names takes a request to change a record; what changed is what the request
 * names.
 */
export const changedRecords: Rule = {
  name: 'dns/records',
  begins: isCall(dns.changeRecord.opcode),
  match(request, facts) {
    const { source = null, destination: item = null } = envelopeOf(request) ?? {}
    const known = facts.get(item ?? '')
    const fields = keepsRecords(known) ? readBody(request, readChange) : null
    if (fields === null) return null
    const collection = known?.nftItem?.collection ?? null
    const picked = new Picked(request)
    picked.next(request, isBounce)
    const key = hexOfBytes(fields.key)
    const kind = fields.value !== null ? CHANGE_DNS : key === NO_KEY ? RENEW_DNS : DELETE_DNS
    const content = kind.content({ source, item, collection, key, record: fields.value })
    return { blocks: picked.blocks, content, failed: request.failed }
  },
}
