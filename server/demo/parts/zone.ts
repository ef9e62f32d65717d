// The DNS root, which the configuration points to, and the zone that sells domains.

import { beginCell } from '../../cell/index.ts'
import type { Deployment } from '../../devchain/index.ts'
import { dnsRoot, dnsZone, onChainContent } from '../contracts/index.ts'
import { type Cast, type ScriptStep, scriptCoins } from '../script.ts'

const ZONE = 'ton'
const ROOT_PARAMETER = 4
/** More than the hour after the last bid in which an auction is open. */
export const AUCTION = 3700

export const zone = (): Deployment =>
  dnsZone(onChainContent({ name: 'TON DNS Domains', description: 'Domains of the demo chain.' }))

const root = ({ wallet }: Cast): Deployment => dnsRoot(wallet(4).address, { [ZONE]: zone().address })

/** The contracts that all domains need, and the configuration parameter that names the root. */
export function foundation(cast: Cast): ScriptStep {
  const rootOf = root(cast)
  return {
    acts: [
      { by: cast.wallet(4), sends: [{ to: rootOf, value: scriptCoins(5), bounce: false }] },
      { by: cast.wallet(5), sends: [{ to: zone(), value: scriptCoins(1), bounce: false }] },
      {
        by: 'config',
        change: {
          kind: 'parameter',
          index: ROOT_PARAMETER,
          value: beginCell().storeBytes(rootOf.address.hash).end(),
        },
      },
    ],
  }
}
