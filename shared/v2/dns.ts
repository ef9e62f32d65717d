import { z } from 'zod'
import { exampleValues } from '../exampleValues.ts'
import { method, readsV2 } from '../method.ts'
import { AnyAddress } from '../primitives.ts'
import { AccountAddress, Base64Hash, MasterSeqno } from './tonlib.ts'

const group = 'dns'

const AdnlAddress = z
  .object({
    '@type': z.literal('adnlAddress'),
    adnl_address: z.string().length(55).describe('55 characters of base32.'),
  })
  .meta({ id: 'AdnlAddress', description: 'Address in the ADNL network.' })

const EntryData = z
  .discriminatedUnion('@type', [
    z
      .object({ '@type': z.literal('dns.entryDataSmcAddress'), smc_address: AccountAddress.describe('The account.') })
      .meta({ id: 'DnsEntrySmcAddress', description: 'An account, such as a wallet.' }),
    z
      .object({
        '@type': z.literal('dns.entryDataNextResolver'),
        resolver: AccountAddress.describe('Contract to query next.'),
      })
      .meta({ id: 'DnsEntryNextResolver', description: 'Resolver of the rest of the name.' }),
    z
      .object({
        '@type': z.literal('dns.entryDataAdnlAddress'),
        adnl_address: AdnlAddress.describe('Node that serves the site.'),
      })
      .meta({ id: 'DnsEntryAdnlAddress', description: 'A site in the TON network.' }),
    z
      .object({
        '@type': z.literal('dns.entryDataStorageAddress'),
        bag_id: Base64Hash.describe('Id of the bag, base64.'),
      })
      .meta({ id: 'DnsEntryStorageAddress', description: 'A bag in TON Storage.' }),
    z.object({ '@type': z.literal('dns.entryDataText'), text: z.string().describe('Text of the record.') }).meta({
      id: 'DnsEntryText',
      description: 'A text.',
    }),
    z
      .object({
        '@type': z.literal('dns.entryDataUnknown'),
        bytes: z.string().meta({ description: 'The record, base64 BoC.' }),
      })
      .meta({ id: 'DnsEntryUnknown', description: 'A record of unknown kind.' }),
  ])
  .meta({ id: 'DnsEntryData', description: 'Value of a record.' })

const Entry = z
  .object({
    '@type': z.literal('dns.entry'),
    name: z.string().meta({ description: 'The resolved name; only its end when `ttl` ran out before.' }),
    category: Base64Hash.meta({ description: 'SHA-256 of the name of the category, base64.' }),
    entry: EntryData.describe('Value of the record.'),
  })
  .meta({ id: 'DnsEntry', description: 'A record of a domain.' })

/** Bytes of a name; each further resolver consumes at least one. */
const LONGEST_NAME = 126

export const dnsV2 = {
  dnsResolve: method({
    summary: 'Records of a domain name.',
    description:
      'Runs the resolvers from the root on; `entries` is empty for a name that is not taken. To find domains by owner or wallet use v3.dns.records.',
    group,
    params: z.strictObject({
      name: z
        .string()
        .min(1, 'empty name')
        .max(LONGEST_NAME)
        .meta({ description: 'Domain such as `foundation.ton`; `.` for records of the resolver itself.' }),
      category: z
        .union([z.string().max(128), z.int().min(0)])
        .default('all')
        .meta({
          description: 'Name (such as `wallet`), hash or number of a category; `all` or 0 for every record.',
        }),
      address: AnyAddress.optional().meta({ description: 'Resolver to start with; default: the root of the network.' }),
      ttl: z.int().min(0).max(LONGEST_NAME).default(16).meta({
        description: 'Maximum resolvers after the first; when reached, the next resolver is returned.',
      }),
      seqno: MasterSeqno,
    }),
    result: z
      .object({ '@type': z.literal('dns.resolved'), entries: z.array(Entry).describe('Records found.') })
      .meta({ id: 'DnsResolved', description: 'Records of a domain.' }),
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
                account_address: exampleValues.OTHER_BOUNCEABLE,
              },
            },
          },
        ],
      },
    },
  }),
}
