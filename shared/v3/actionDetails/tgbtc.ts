import { z } from 'zod'
import { Digits } from '../values.ts'
import { account, amount } from './fields.ts'

const asset = account('Jetton.')
const value = amount('Amount in the smallest units.')
const pubkey = z.string().describe('Public key of the signers, hex.')

const Mint = z
  .object({
    source: account('Caller.'),
    destination: account('Account that receives.'),
    amount: value,
    asset,
    bitcoin_tx_id: z.string().describe('Bitcoin transaction, hex.'),
    destination_wallet: account('Jetton wallet of the recipient.'),
  })
  .meta({ id: 'TgbtcMintDetails' })

const Burn = z
  .object({
    source: account('Account that owns it.'),
    source_wallet: account('Jetton wallet of the owner.'),
    destination: account('Contract that pays out on Bitcoin.'),
    amount: value,
    asset,
  })
  .meta({ id: 'TgbtcBurnDetails' })

const NewKey = z
  .object({
    source: account('Caller.'),
    pubkey,
    coordinator: account('Coordinator contract.'),
    pegout: account('Contract that moves the funds to the new key.'),
    amount: value,
    asset,
  })
  .meta({ id: 'TgbtcNewKeyDetails' })

const KeyLog = z
  .object({ coordinator: account('Coordinator contract.'), pubkey, timestamp: Digits.describe('Unix seconds.') })
  .meta({ id: 'TgbtcDkgLogDetails' })

export const tgbtc = {
  tgbtc_mint: Mint,
  tgbtc_mint_fallback: Mint,
  tgbtc_burn: Burn,
  tgbtc_burn_fallback: Burn,
  tgbtc_new_key: NewKey,
  tgbtc_new_key_fallback: NewKey,
  tgbtc_dkg_log_fallback: KeyLog,
}
