import { z } from 'zod'
import { account, amount, itemFields, number, queryId, text } from './fields.ts'

const change = {
  source: account('Owner of the name.'),
  asset: account('Contract of the name.'),
  nft_collection: itemFields.nft_collection,
}

const Value = z
  .object({
    sum_type: z
      .enum(['DNSNextResolver', 'DNSAdnlAddress', 'DNSSmcAddress', 'DNSStorageAddress', 'DNSText', 'Unknown'])
      .describe('Kind of record; fields of other kinds are null.'),
    dns_smc_address: account('Account.'),
    dns_adnl_address: text('ADNL address, hex.'),
    dns_text: text('Text.'),
    dns_next_resolver_address: account('Contract that resolves subdomains.'),
    dns_storage_address: text('Storage bag, hex.'),
    flags: number('Flags of the record.'),
  })
  .meta({ id: 'DnsRecordValue' })

const ChangeDns = z
  .object({
    key: z.string().describe('SHA-256 of the record name, hex.'),
    value: Value.nullable().describe('New record.'),
    ...change,
  })
  .meta({ id: 'ChangeDnsDetails' })

const DeleteDns = z
  .object({ hash: z.string().describe('SHA-256 of the record name, hex.'), ...change })
  .meta({ id: 'DeleteDnsDetails' })

const Release = z
  .object({
    ...queryId,
    source: account('Account that owns it.'),
    ...itemFields,
    value: amount('Nanotons sent along.'),
  })
  .meta({ id: 'DnsReleaseDetails' })

const Purchase = z
  .object({
    ...itemFields,
    new_owner: account('Winner of the auction.'),
    price: amount('Price in nanotons.'),
    ...queryId,
    payout_amount: amount('Nanotons paid to the collection.'),
  })
  .meta({ id: 'DnsPurchaseDetails' })

export const dns = {
  change_dns: ChangeDns,
  delete_dns: DeleteDns,
  renew_dns: z.object(change).meta({ id: 'RenewDnsDetails' }),
  dns_release: Release,
  dns_purchase: Purchase,
}
