import { z } from 'zod'
import { accountField, amountField, queryId, textField, usualFields } from './fields.ts'

const asset = usualFields.jetton

const JettonTransfer = z
  .object({
    asset,
    sender: usualFields.sender,
    receiver: usualFields.recipient,
    sender_jetton_wallet: usualFields.senderWallet,
    receiver_jetton_wallet: usualFields.recipientWallet,
    amount: usualFields.amount,
    comment: usualFields.comment,
    is_encrypted_comment: usualFields.isEncrypted,
    ...queryId,
    response_destination: accountField('Receiver of the excess.'),
    custom_payload: textField('Payload for the wallet, base64 BoC.'),
    forward_payload: textField('Payload for the recipient, base64 BoC.'),
    forward_amount: amountField('Nanotons forwarded to the recipient.'),
  })
  .meta({ id: 'JettonTransferDetails' })

const JettonBurn = z
  .object({
    owner: usualFields.owner,
    owner_jetton_wallet: accountField('Jetton wallet of the owner.'),
    asset,
    amount: usualFields.amount,
  })
  .meta({ id: 'JettonBurnDetails' })

const JettonMint = z
  .object({
    asset,
    receiver: usualFields.recipient,
    receiver_jetton_wallet: usualFields.recipientWallet,
    amount: usualFields.amount,
    ton_amount: amountField('Nanotons sent along.'),
  })
  .meta({ id: 'JettonMintDetails' })

export const jettonsDetails = { jetton_transfer: JettonTransfer, jetton_burn: JettonBurn, jetton_mint: JettonMint }
