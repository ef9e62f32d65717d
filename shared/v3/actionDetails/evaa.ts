import { z } from 'zod'
import { account, amount, flag, text } from './fields.ts'

const asset_id = text('Id of the asset in the protocol, hex.')
const asset = account('Jetton; null for TON or an unknown asset.')
const value = amount('Amount in the smallest units.')
const master = account('Master contract of the protocol.')
const master_jetton_wallet = account('Jetton wallet of the master.')
const recipient = account('Account that receives.')
const recipient_jetton_wallet = account('Jetton wallet of the recipient.')
const is_ton = flag('True for TON.')
const fail_reason = text('Why it failed, else null.')

const Supply = z
  .object({
    sender_jetton_wallet: account('Jetton wallet of the sender.'),
    recipient_jetton_wallet,
    master_jetton_wallet,
    master,
    asset_id,
    is_ton,
    source: account('Supplier.'),
    source_wallet: account('Jetton wallet of the supplier.'),
    recipient,
    recipient_contract: account('Contract of the recipient in the protocol.'),
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
    is_ton,
    source: account('Owner of the funds.'),
    recipient,
    owner_contract: account('Contract of the owner in the protocol.'),
    asset,
    amount: value,
  })
  .meta({ id: 'EvaaWithdrawDetails' })

const Liquidate = z
  .object({
    fail_reason,
    debt_amount: amount('Debt paid, in the smallest units.'),
    source: account('Liquidator.'),
    borrower: account('Account in debt.'),
    borrower_contract: account('Contract of the borrower in the protocol.'),
    collateral: account('Jetton received; null for TON.'),
    asset_id,
    asset,
    is_known_asset: flag('True when `asset_id` is known.'),
    amount: amount('Collateral received, in the smallest units.'),
  })
  .meta({ id: 'EvaaLiquidateDetails' })

export const evaa = { evaa_supply: Supply, evaa_withdraw: Withdraw, evaa_liquidate: Liquidate }
