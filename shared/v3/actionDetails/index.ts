// Details by type of action: an entry for each type the classifier emits.

import { cocoon } from './cocoon.ts'
import { coffee } from './coffee.ts'
import { exchanges } from './dex.ts'
import { dns } from './dns.ts'
import { evaa } from './evaa.ts'
import { jettons } from './jettons.ts'
import { jvault } from './jvault.ts'
import { layerzero } from './layerzero.ts'
import { multisig } from './multisig.ts'
import { nfts } from './nfts.ts'
import { staking } from './staking.ts'
import { tgbtc } from './tgbtc.ts'
import { transfers } from './transfers.ts'
import { vesting } from './vesting.ts'

export const actionDetails = {
  ...transfers,
  ...jettons,
  ...nfts,
  ...dns,
  ...staking,
  ...multisig,
  ...vesting,
  ...exchanges,
  ...coffee,
  ...evaa,
  ...jvault,
  ...layerzero,
  ...tgbtc,
  ...cocoon,
}
