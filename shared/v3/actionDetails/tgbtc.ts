import { z } from 'zod'
import { Digits } from '../values.ts'
import { accountField, usualFields } from './fields.ts'

const asset = usualFields.jetton
const value = usualFields.amount
const pubkey = z.string().describe('Public key of the signers, hex.')

const Mint = z
  .object({
    source: accountField('Caller.'),
    destination: usualFields.recipient,
    amount: value,
    asset,
    bitcoin_tx_id: z.string().describe('Bitcoin transaction, hex.'),
    destination_wallet: usualFields.recipientWallet,
  })
  .meta({ id: 'TgbtcMintDetails' })

const Burn = z
  .object({
    source: usualFields.owner,
    source_wallet: accountField('Jetton wallet of the owner.'),
    destination: accountField('Contract that pays out on Bitcoin.'),
    amount: value,
    asset,
  })
  .meta({ id: 'TgbtcBurnDetails' })

const NewKey = z
  .object({
    source: accountField('Caller.'),
    pubkey,
    coordinator: accountField('Coordinator contract.'),
    pegout: accountField('Contract that moves the funds to the new key.'),
    amount: value,
    asset,
  })
  .meta({ id: 'TgbtcNewKeyDetails' })

const KeyLog = z
  .object({ coordinator: accountField('Coordinator contract.'), pubkey, timestamp: Digits.describe('Unix seconds.') })
  .meta({ id: 'TgbtcDkgLogDetails' })

export const tgbtcDetails = {
  tgbtc_mint: Mint,
  tgbtc_mint_fallback: Mint,
  tgbtc_burn: Burn,
  tgbtc_burn_fallback: Burn,
  tgbtc_new_key: NewKey,
  tgbtc_new_key_fallback: NewKey,
  tgbtc_dkg_log_fallback: KeyLog,
}
