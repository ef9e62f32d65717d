// TON, calls, deployments, and what is left of traces without a meaning.

import { z } from 'zod'
import { Currencies, Digits } from '../values.ts'
import { accountField, textField, usualFields } from './fields.ts'

const ends = { source: usualFields.sender, destination: usualFields.recipient }

const message = {
  opcode: z.string().optional().describe('First 32 bits of the body, `0x` and 8 hex digits.'),
  source: ends.source.optional(),
  destination: ends.destination.optional(),
  value: Digits.optional().describe('Amount in nanotons.'),
}

const comment = {
  comment: usualFields.comment,
  encrypted: usualFields.isEncrypted,
}

const Call = z
  .object({ ...message, extra_currencies: Currencies.optional().describe('Extra currencies carried.') })
  .meta({ id: 'CallContractDetails' })

const Transfer = z
  .object({
    ...ends,
    value: Digits.describe('Amount in nanotons.'),
    value_extra_currencies: Currencies.describe('Extra currencies carried.'),
    ...comment,
  })
  .meta({ id: 'TonTransferDetails' })

/** A transfer or a call, whichever it would be without the currencies. */
const CurrencyTransfer = z
  .object({
    ...message,
    extra_currencies: Currencies.optional().describe('Extra currencies carried by a call.'),
    value_extra_currencies: Currencies.optional().describe('Extra currencies carried by a transfer.'),
    comment: comment.comment.optional(),
    encrypted: comment.encrypted.optional(),
  })
  .meta({ id: 'ExtraCurrencyTransferDetails' })

const Gasless = z.object({ ...ends, value: usualFields.nanotons }).meta({ id: 'GaslessRequestDetails' })

const KeyChange = z
  .object({
    ...ends,
    value: usualFields.nanotons,
    new_public_key: textField('New public key, hex.'),
    rotation_signature: textField('Signature of the change.'),
    encrypted_old_private_key: textField('Old private key, encrypted.'),
  })
  .meta({ id: 'ChangeWalletKeyDetails' })

const Election = z
  .object({
    stake_holder: accountField('Validator.'),
    amount: Digits.optional().describe('Stake in nanotons.'),
  })
  .meta({ id: 'ElectionDetails' })

const Subscription = z
  .object({
    subscriber: accountField('Paying wallet.'),
    beneficiary: accountField('Receiver of the payments.').optional(),
    subscription: accountField('Subscription contract.'),
    amount: Digits.optional().describe('Payment in nanotons.'),
  })
  .meta({ id: 'SubscriptionDetails' })

export const NoDetails = z.object({}).meta({ id: 'EmptyDetails', description: 'No fields.' })

export const transfersDetails = {
  ton_transfer: Transfer,
  extra_currency_transfer: CurrencyTransfer,
  call_contract: Call,
  contract_deploy: z.object(message).meta({ id: 'ContractDeployDetails' }),
  tick_tock: z.object({ account: accountField('System contract.').optional() }).meta({ id: 'TickTockDetails' }),
  unknown: NoDetails,
  gasless_request: Gasless,
  change_wallet_key: KeyChange,
  election_deposit: Election,
  election_recover: Election,
  subscribe: Subscription,
  unsubscribe: Subscription,
}
