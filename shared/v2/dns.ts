import { z } from 'zod'
import { method, readsV2 } from '../method.ts'
import { Address } from '../primitives.ts'
import { AccountAddress, Base64Hash, MasterSeqno } from './tonlib.ts'

const group = 'dns'

const AdnlAddress = z
  .object({ '@type': z.literal('adnlAddress'), adnl_address: z.string().length(55) })
  .meta({ id: 'AdnlAddress', description: 'An ADNL address in its text form.' })

const EntryData = z
  .discriminatedUnion('@type', [
    z
      .object({ '@type': z.literal('dns.entryDataSmcAddress'), smc_address: AccountAddress })
      .meta({ id: 'DnsEntrySmcAddress' }),
    z
      .object({ '@type': z.literal('dns.entryDataNextResolver'), resolver: AccountAddress })
      .meta({ id: 'DnsEntryNextResolver' }),
    z
      .object({ '@type': z.literal('dns.entryDataAdnlAddress'), adnl_address: AdnlAddress })
      .meta({ id: 'DnsEntryAdnlAddress' }),
    z
      .object({ '@type': z.literal('dns.entryDataStorageAddress'), bag_id: Base64Hash })
      .meta({ id: 'DnsEntryStorageAddress' }),
    z.object({ '@type': z.literal('dns.entryDataText'), text: z.string() }).meta({ id: 'DnsEntryText' }),
    z
      .object({
        '@type': z.literal('dns.entryDataUnknown'),
        bytes: z.string().meta({ description: 'The record as a bag of cells, base64.' }),
      })
      .meta({ id: 'DnsEntryUnknown' }),
  ])
  .meta({ id: 'DnsEntryData' })

const Entry = z
  .object({
    '@type': z.literal('dns.entry'),
    name: z.string().meta({ description: 'What was resolved: all of the name, or the end that is.' }),
    category: Base64Hash.meta({ description: 'SHA-256 of the name of the category.' }),
    entry: EntryData,
  })
  .meta({ id: 'DnsEntry' })

/** Bytes of a name; each further resolver takes one at least. */
const LONGEST_NAME = 126

export const dns = {
  dnsResolve: method({
    summary: 'The records of a domain name; none for a name that nobody has.',
    group,
    params: z.strictObject({
      name: z
        .string()
        .min(1, 'empty name')
        .max(LONGEST_NAME)
        .meta({ description: 'A domain name like `foundation.ton`; `.` for the records of the resolver itself.' }),
      category: z
        .union([z.string().max(128), z.int().min(0)])
        .default('all')
        .meta({
          description: 'One category by its name (such as `wallet`), hash or number; `all` or 0 for all of them.',
        }),
      address: Address.optional().meta({ description: 'The resolver to begin with; the root when left out.' }),
      ttl: z.int().min(0).max(LONGEST_NAME).default(16).meta({
        description: 'How many resolvers after the first may be asked; then the next one is the answer.',
      }),
      seqno: MasterSeqno,
    }),
    result: z.object({ '@type': z.literal('dns.resolved'), entries: z.array(Entry) }).meta({ id: 'DnsResolved' }),
    rest: readsV2('dnsResolve'),
    freshness: 'block',
    example: {
      params: { name: 'foundation.ton', category: 'wallet' },
      result: {
        '@type': 'dns.resolved',
        entries: [
          {
            '@type': 'dns.entry',
            name: 'foundation.ton',
            category: '6NRAUIc9uoZap8Fwq0zOZNkIOaNNz9bPcdFOAgVEOxs=',
            entry: {
              '@type': 'dns.entryDataSmcAddress',
              smc_address: {
                '@type': 'accountAddress',
                account_address: 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N',
              },
            },
          },
        ],
      },
    },
  }),
}
