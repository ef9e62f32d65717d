import { z } from 'zod'
import { accountField, amountField, booleanField, textField, usualFields } from './fields.ts'

const asset_id = textField('Id of the asset in the protocol, hex.')
const asset = accountField('Jetton; null for TON or an unknown asset.')
const value = usualFields.amount
const master = accountField('Master contract of the protocol.')
const master_jetton_wallet = accountField('Jetton wallet of the master.')
const recipient = usualFields.recipient
const recipient_jetton_wallet = usualFields.recipientWallet
const is_ton = booleanField('True for TON.')
const fail_reason = textField('Why it failed, else null.')

const Supply = z
  .object({
    sender_jetton_wallet: usualFields.senderWallet,
    recipient_jetton_wallet,
    master_jetton_wallet,
    master,
    asset_id,
    is_ton,
    source: accountField('Supplier.'),
    source_wallet: accountField('Jetton wallet of the supplier.'),
    recipient,
    recipient_contract: accountField('Contract of the recipient in the protocol.'),
    asset,
    amount: value,
  })
  .meta({ id: 'EvaaSupplyDetails' })

const Withdraw = z
  .object({
    recipient_jetton_wallet,
    master_jetton_wallet,
    master,
    fail_reason,
    asset_id,
    source: accountField('Owner of the funds.'),
    recipient,
    owner_contract: accountField('Contract of the owner in the protocol.'),
    asset: accountField('Jetton paid; null for TON, and where nothing was paid: see `asset_id`.'),
    amount: value,
  })
  .meta({ id: 'EvaaWithdrawDetails' })

const Liquidate = z
  .object({
    fail_reason,
    debt_amount: amountField('Debt paid, in the smallest units.'),
    source: accountField('Liquidator.'),
    borrower: accountField('Account in debt.'),
    borrower_contract: accountField('Contract of the borrower in the protocol.'),
    collateral: accountField('Jetton received; null for TON.'),
    asset_id,
    asset,
    is_known_asset: booleanField('True when `asset_id` is known.'),
    amount: amountField('Collateral received, in the smallest units.'),
  })
  .meta({ id: 'EvaaLiquidateDetails' })

export const evaaDetails = { evaa_supply: Supply, evaa_withdraw: Withdraw, evaa_liquidate: Liquidate }
