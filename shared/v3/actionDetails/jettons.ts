import { z } from 'zod'
import { account, amount, flag, queryId, text } from './fields.ts'

const asset = account('Jetton.')

const JettonTransfer = z
  .object({
    asset,
    sender: account('Account that sends.'),
    receiver: account('Account that receives.'),
    sender_jetton_wallet: account('Jetton wallet of the sender.'),
    receiver_jetton_wallet: account('Jetton wallet of the recipient.'),
    amount: amount('Amount in the smallest units.'),
    comment: text('Comment, base64 when encrypted.'),
    is_encrypted_comment: flag('True when the comment is encrypted.'),
    ...queryId,
    response_destination: account('Receiver of the excess.'),
    custom_payload: text('Payload for the wallet, base64 BoC.'),
    forward_payload: text('Payload for the recipient, base64 BoC.'),
    forward_amount: amount('Nanotons forwarded to the recipient.'),
  })
  .meta({ id: 'JettonTransferDetails' })

const JettonBurn = z
  .object({
    owner: account('Account that owns it.'),
    owner_jetton_wallet: account('Jetton wallet of the owner.'),
    asset,
    amount: amount('Amount in the smallest units.'),
  })
  .meta({ id: 'JettonBurnDetails' })

const JettonMint = z
  .object({
    asset,
    receiver: account('Account that receives.'),
    receiver_jetton_wallet: account('Jetton wallet of the recipient.'),
    amount: amount('Amount in the smallest units.'),
    ton_amount: amount('Nanotons sent along.'),
  })
  .meta({ id: 'JettonMintDetails' })

export const jettons = { jetton_transfer: JettonTransfer, jetton_burn: JettonBurn, jetton_mint: JettonMint }
