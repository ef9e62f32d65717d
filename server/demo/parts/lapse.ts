// A domain that was not renewed for a year can be auctioned again. This part comes first in the demo of a new chain, because
// a year must pass; it is not played on a running chain, whose clock is in use.

import {
  dnsAccountRecord,
  dnsChangeRecordBody,
  dnsDomain,
  dnsOpenAuctionBody,
  dnsReleaseBody,
  dnsRenewBody,
} from '../contracts/index.ts'
import { type ScriptStep, type StoryPart, scriptCoins } from '../script.ts'
import { AUCTION, foundation, zone } from './zone.ts'

const NAME = 'bookshelf'
/** A little more than the time after which a domain expires. */
const YEAR = 366 * 86_400 + 60

const domain = () => dnsDomain(zone().address, NAME).address

export const lapsePart: StoryPart = {
  name: 'lapse',
  title: 'a domain that expires after a year',
  steps({ cast }): ScriptStep[] {
    const { wallet } = cast
    const leadsTo2 = dnsChangeRecordBody(100n, 'wallet', dnsAccountRecord(wallet(2).address))
    const say = (number: number, value: number, body: typeof leadsTo2) => ({
      by: wallet(number),
      sends: [{ to: domain(), value: scriptCoins(value), body }],
    })
    return [
      foundation(cast),
      {
        acts: [
          { by: wallet(2), sends: [{ to: zone().address, value: scriptCoins(12), body: dnsOpenAuctionBody(NAME) }] },
        ],
      },
      { wait: AUCTION, acts: [say(2, 0.1, leadsTo2)] },
      { wait: YEAR, acts: [say(7, 11, dnsReleaseBody(101n))] },
      { wait: AUCTION, acts: [say(7, 0.1, dnsRenewBody(102n))] },
    ]
  },
}
