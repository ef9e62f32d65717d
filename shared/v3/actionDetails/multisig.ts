// Orders of multisig wallets.

import { z } from 'zod'
import { Digits } from '../values.ts'
import { account, flag, number, queryId, text } from './fields.ts'

const order = {
  order_seqno: Digits.describe('Number of the order.'),
  expiration_date: z.int().describe('Unix seconds of expiry.'),
  order_boc: text('Actions of the order, base64 BoC.'),
}

const Create = z
  .object({
    ...queryId,
    ...order,
    is_created_by_signer: flag('True for a signer, false for a proposer.'),
    is_signed_by_creator: flag('True when created and approved at once.'),
    creator_index: z.int().describe('Index of the creator.'),
    source: account('Creator.'),
    destination: account('Multisig wallet.'),
    destination_order: account('Order contract.'),
  })
  .meta({ id: 'MultisigCreateOrderDetails' })

const Approve = z
  .object({
    signer_index: number('Index of the signer; -1 when approved by comment.'),
    exit_code: number('0, or the code of the refusal.'),
    source: account('Signer.'),
    destination: account('Order contract.'),
  })
  .meta({ id: 'MultisigApproveDetails' })

const Execute = z
  .object({
    ...queryId,
    ...order,
    approvals_num: z.int().describe('Approvals of the order.'),
    signers_hash: text('Hash of the signers, base64.'),
    source: account('Order contract.'),
    destination: account('Multisig wallet.'),
  })
  .meta({ id: 'MultisigExecuteDetails' })

export const multisig = { multisig_create_order: Create, multisig_approve: Approve, multisig_execute: Execute }
