import { z } from 'zod'
import { accountField, amountField, booleanField, queryId, textField } from './fields.ts'

const asset = accountField('Jetton.')

const JettonTransfer = z
  .object({
    asset,
    sender: accountField('Account that sends.'),
    receiver: accountField('Account that receives.'),
    sender_jetton_wallet: accountField('Jetton wallet of the sender.'),
    receiver_jetton_wallet: accountField('Jetton wallet of the recipient.'),
    amount: amountField('Amount in the smallest units.'),
    comment: textField('Comment, base64 when encrypted.'),
    is_encrypted_comment: booleanField('True when the comment is encrypted.'),
    ...queryId,
    response_destination: accountField('Receiver of the excess.'),
    custom_payload: textField('Payload for the wallet, base64 BoC.'),
    forward_payload: textField('Payload for the recipient, base64 BoC.'),
    forward_amount: amountField('Nanotons forwarded to the recipient.'),
  })
  .meta({ id: 'JettonTransferDetails' })

const JettonBurn = z
  .object({
    owner: accountField('Account that owns it.'),
    owner_jetton_wallet: accountField('Jetton wallet of the owner.'),
    asset,
    amount: amountField('Amount in the smallest units.'),
  })
  .meta({ id: 'JettonBurnDetails' })

const JettonMint = z
  .object({
    asset,
    receiver: accountField('Account that receives.'),
    receiver_jetton_wallet: accountField('Jetton wallet of the recipient.'),
    amount: amountField('Amount in the smallest units.'),
    ton_amount: amountField('Nanotons sent along.'),
  })
  .meta({ id: 'JettonMintDetails' })

export const jettonsDetails = { jetton_transfer: JettonTransfer, jetton_burn: JettonBurn, jetton_mint: JettonMint }
