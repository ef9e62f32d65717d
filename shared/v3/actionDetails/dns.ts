import { z } from 'zod'
import { accountField, amountField, itemFields, numberField, queryId, textField, usualFields } from './fields.ts'

const change = {
  source: accountField('Owner of the name.'),
  asset: accountField('Contract of the name.'),
  nft_collection: itemFields.nft_collection,
}

const Value = z
  .object({
    sum_type: z
      .enum(['DNSNextResolver', 'DNSAdnlAddress', 'DNSSmcAddress', 'DNSStorageAddress', 'DNSText', 'Unknown'])
      .describe('Kind of record; fields of other kinds are null.'),
    dns_smc_address: accountField('Account.'),
    dns_adnl_address: textField('ADNL address, hex.'),
    dns_text: textField('Text.'),
    dns_next_resolver_address: accountField('Contract that resolves subdomains.'),
    dns_storage_address: textField('Storage bag, hex.'),
    flags: numberField('Flags of the record.'),
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
    source: usualFields.owner,
    ...itemFields,
    value: amountField('Nanotons sent along.'),
  })
  .meta({ id: 'DnsReleaseDetails' })

const Purchase = z
  .object({
    ...itemFields,
    new_owner: accountField('Winner of the auction.'),
    price: amountField('Price in nanotons.'),
    ...queryId,
    payout_amount: amountField('Nanotons paid to the collection.'),
  })
  .meta({ id: 'DnsPurchaseDetails' })

export const dnsDetails = {
  change_dns: ChangeDns,
  delete_dns: DeleteDns,
  renew_dns: z.object(change).meta({ id: 'RenewDnsDetails' }),
  dns_release: Release,
  dns_purchase: Purchase,
}
