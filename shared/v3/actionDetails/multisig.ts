// Orders of multisig wallets.

import { z } from 'zod'
import { Digits } from '../values.ts'
import { accountField, booleanField, numberField, queryId, textField } from './fields.ts'

const order = {
  order_seqno: Digits.describe('Number of the order.'),
  expiration_date: z.int().describe('Unix seconds of expiry.'),
  order_boc: textField('Actions of the order, base64 BoC.'),
}

const Create = z
  .object({
    ...queryId,
    ...order,
    is_created_by_signer: booleanField('True for a signer, false for a proposer.'),
    is_signed_by_creator: booleanField('True when created and approved at once.'),
    creator_index: z.int().describe('Index of the creator.'),
    source: accountField('Creator.'),
    destination: accountField('Multisig wallet.'),
    destination_order: accountField('Order contract.'),
  })
  .meta({ id: 'MultisigCreateOrderDetails' })

const Approve = z
  .object({
    signer_index: numberField('Index of the signer; -1 when approved by comment.'),
    exit_code: numberField('0, or the code of the refusal.'),
    source: accountField('Signer.'),
    destination: accountField('Order contract.'),
  })
  .meta({ id: 'MultisigApproveDetails' })

const Execute = z
  .object({
    ...queryId,
    ...order,
    approvals_num: z.int().describe('Approvals of the order.'),
    signers_hash: textField('Hash of the signers, base64.'),
    source: accountField('Order contract.'),
    destination: accountField('Multisig wallet.'),
  })
  .meta({ id: 'MultisigExecuteDetails' })

export const multisigDetails = { multisig_create_order: Create, multisig_approve: Approve, multisig_execute: Execute }
