// Domains: some were won in auctions and have records, one delegates to its own resolver, some are still in auction. The
// zone is created when it does not exist yet.

import { hashToBytes, sha256 } from '../../cell/index.ts'
import type { Deployment, WellKnownAccount } from '../../devchain/index.ts'
import {
  dnsAccountRecord,
  dnsAdnlRecord,
  dnsChangeRecordBody,
  dnsDomain,
  dnsOpenAuctionBody,
  dnsRenewBody,
  dnsResolverRecord,
  dnsRoot,
  dnsStorageRecord,
  dnsTextRecord,
} from '../contracts/index.ts'
import {
  type Act,
  roundName,
  type Scene,
  type ScriptPart,
  type ScriptSending,
  type ScriptStep,
  scriptCoins,
} from '../script.ts'
import { PART_TITLES } from './titles.ts'
import { AUCTION, foundation, zone } from './zone.ts'

const bytesOf = (text: string): Uint8Array => hashToBytes(sha256(Buffer.from(text)))

/** The resolver of `shop` under a domain: it resolves to what the domain resolves to. */
const resolver = ({ cast, round }: Scene): Deployment =>
  dnsRoot(cast.wallet(3).address, { shop: dnsDomain(zone().address, roundName('alice', round)).address })

/** What is done with names of the part's round. */
function namingOf({ cast: { wallet }, round }: Scene) {
  const domain = (name: string) => dnsDomain(zone().address, roundName(name, round)).address
  return {
    domain,
    open: (number: number, name: string, amount: number): Act => ({
      by: wallet(number),
      sends: [{ to: zone().address, value: scriptCoins(amount), body: dnsOpenAuctionBody(roundName(name, round)) }],
    }),
    bid: (number: number, name: string, amount: number): Act => ({
      by: wallet(number),
      sends: [{ to: domain(name), value: scriptCoins(amount) }],
    }),
    record: (name: string, category: string, value: Parameters<typeof dnsChangeRecordBody>[2]): ScriptSending => ({
      to: domain(name),
      value: scriptCoins(0.1),
      body: dnsChangeRecordBody(80n, category, value),
    }),
    owner: (account: WellKnownAccount) => dnsAccountRecord(account.address),
  }
}

function steps(scene: Scene): ScriptStep[] {
  const { cast, round, hasZone = false } = scene
  const { wallet } = cast
  const { domain, open, bid, record, owner } = namingOf(scene)
  return [
    ...(round === 0 && !hasZone ? [foundation(cast)] : []),
    { acts: [open(1, 'alice', 55), open(2, 'market', 42), open(8, 'wonderland', 6)] },
    { acts: [bid(3, 'market', 50), bid(9, 'wonderland', 7)] },
    {
      wait: AUCTION,
      acts: [
        {
          by: wallet(1),
          sends: [
            record('alice', 'wallet', owner(wallet(1))),
            record('alice', 'site', dnsAdnlRecord(bytesOf('the site of alice'))),
            record('alice', 'storage', dnsStorageRecord(bytesOf('the files of alice'))),
            record('alice', 'text', dnsTextRecord('Alice, of the demo chain')),
          ],
        },
        {
          by: wallet(3),
          sends: [
            { to: resolver(scene), value: scriptCoins(2), bounce: false },
            record('market', 'dns_next_resolver', dnsResolverRecord(resolver(scene).address)),
            record('market', 'wallet', owner(wallet(3))),
            record('market', 'text', dnsTextRecord('It opens soon')),
          ],
        },
        { by: wallet(9), sends: [record('wonderland', 'site', dnsStorageRecord(bytesOf('the site of wonderland')))] },
      ],
    },
    {
      acts: [
        open(6, 'harbour', 30),
        open(7, 'lighthouse', 5),
        {
          by: wallet(1),
          sends: [{ to: domain('alice'), value: scriptCoins(0.1), body: dnsRenewBody(82n) }],
        },
        {
          by: wallet(3),
          sends: [{ to: domain('market'), value: scriptCoins(0.1), body: dnsChangeRecordBody(81n, 'text', null) }],
        },
      ],
    },
    { acts: [bid(10, 'harbour', 35)] },
  ]
}

export const domainsPart: ScriptPart = {
  name: 'dns',
  title: PART_TITLES.dns,
  mark: ({ round }) => dnsDomain(zone().address, roundName('alice', round)).address,
  steps,
}
