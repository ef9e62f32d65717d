// Details by type of action: an entry for each type the classifier emits.

import { cocoonDetails } from './cocoon.ts'
import { coffeeDetails } from './coffee.ts'
import { exchangeDetails } from './dex.ts'
import { dnsDetails } from './dns.ts'
import { evaaDetails } from './evaa.ts'
import { jettonsDetails } from './jettons.ts'
import { jvaultDetails } from './jvault.ts'
import { layerzeroDetails } from './layerzero.ts'
import { multisigDetails } from './multisig.ts'
import { nftsDetails } from './nfts.ts'
import { stakingDetails } from './staking.ts'
import { tgbtcDetails } from './tgbtc.ts'
import { transfersDetails } from './transfers.ts'
import { vestingDetails } from './vesting.ts'

export const actionDetails = {
  ...transfersDetails,
  ...jettonsDetails,
  ...nftsDetails,
  ...dnsDetails,
  ...stakingDetails,
  ...multisigDetails,
  ...vestingDetails,
  ...exchangeDetails,
  ...coffeeDetails,
  ...evaaDetails,
  ...jvaultDetails,
  ...layerzeroDetails,
  ...tgbtcDetails,
  ...cocoonDetails,
}
