// Wallets of several owners and their orders as v3 writes them.

import { toDigits } from '../../../../../shared/primitives.ts'
import type { Result } from '../../../../../shared/registry.ts'
import type { multisigsV3 } from '../../../../../shared/v3/assets/multisigs.ts'
import { base64Of } from '../../../../cell/index.ts'
import type { MultisigOrderRow, MultisigRow } from '../../../../store/index.ts'
import { rawOfKey } from '../../../keyOfAccount.ts'
import { contractFieldsOf } from './fields.ts'

type Methods = typeof multisigsV3
type Multisig = Result<Methods['v3.multisig.wallets']>['multisigs'][number]
type Order = Result<Methods['v3.multisig.orders']>['orders'][number]

export const toMultisigOrder = (row: MultisigOrderRow, actions: Order['actions']): Order => ({
  address: rawOfKey(row.account),
  multisig_address: rawOfKey(row.multisig),
  order_seqno: toDigits(row.orderSeqno),
  threshold: Number(row.threshold),
  sent_for_execution: row.sentForExecution,
  approvals_mask: toDigits(row.approvalsMask),
  approvals_num: Number(row.approvalsNum),
  expiration_date: Number(row.expirationDate),
  order_boc: base64Of(row.order),
  signers: row.signers.map(rawOfKey),
  actions,
  ...contractFieldsOf(row),
})

export const toMultisig = (row: MultisigRow, orders: readonly MultisigOrderRow[]): Multisig => ({
  address: rawOfKey(row.account),
  next_order_seqno: toDigits(row.nextOrderSeqno),
  threshold: Number(row.threshold),
  signers: row.signers.map(rawOfKey),
  proposers: row.proposers.map(rawOfKey),
  orders: orders.map((order) => toMultisigOrder(order, null)),
  ...contractFieldsOf(row),
})
