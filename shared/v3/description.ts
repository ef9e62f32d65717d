// What a transaction did, phase by phase. Fields that say nothing are left out.

import { z } from 'zod'
import { Base64Hash, Currencies, Digits } from './values.ts'

const StatusChange = z.enum(['unchanged', 'frozen', 'deleted']).meta({ id: 'StatusChange' })

const StoragePhase = z
  .object({
    storage_fees_collected: Digits,
    storage_fees_due: Digits.optional(),
    status_change: StatusChange,
  })
  .meta({ id: 'StoragePhase' })

const CreditPhase = z
  .object({
    credit: Digits,
    due_fees_collected: Digits.optional(),
    credit_extra_currencies: Currencies.optional(),
  })
  .meta({ id: 'CreditPhase' })

const ComputePhase = z
  .union([
    z
      .object({ skipped: z.literal(true), reason: z.enum(['no_state', 'bad_state', 'no_gas', 'suspended']) })
      .meta({ id: 'SkippedCompute' }),
    z
      .object({
        skipped: z.literal(false),
        success: z.boolean(),
        msg_state_used: z.boolean(),
        account_activated: z.boolean(),
        gas_fees: Digits,
        gas_used: Digits,
        gas_limit: Digits,
        gas_credit: Digits.optional(),
        mode: z.int(),
        exit_code: z.int(),
        exit_arg: z.int().optional(),
        vm_steps: z.int(),
        vm_init_state_hash: Base64Hash,
        vm_final_state_hash: Base64Hash,
      })
      .meta({ id: 'ExecutedCompute' }),
  ])
  .meta({ id: 'ComputePhase' })

const MsgSize = z.object({ cells: Digits, bits: Digits }).meta({ id: 'MsgSize' })

const ActionPhase = z
  .object({
    success: z.boolean(),
    valid: z.boolean(),
    no_funds: z.boolean(),
    status_change: StatusChange,
    total_fwd_fees: Digits.optional(),
    total_action_fees: Digits.optional(),
    result_code: z.int(),
    result_arg: z.int().optional(),
    tot_actions: z.int(),
    spec_actions: z.int(),
    skipped_actions: z.int(),
    msgs_created: z.int(),
    action_list_hash: Base64Hash,
    tot_msg_size: MsgSize,
  })
  .meta({ id: 'ActionPhase' })

const BouncePhase = z
  .object({
    type: z.enum(['negfunds', 'nofunds', 'ok']),
    msg_size: MsgSize.optional(),
    req_fwd_fees: Digits.optional(),
    msg_fees: Digits.optional(),
    fwd_fees: Digits.optional(),
  })
  .meta({ id: 'BouncePhase' })

const SplitInfo = z
  .object({
    cur_shard_pfx_len: z.int(),
    acc_split_depth: z.int(),
    this_addr: z.string(),
    sibling_addr: z.string(),
  })
  .meta({ id: 'SplitInfo' })

export const TransactionDescr = z
  .object({
    type: z.enum(['ord', 'tick_tock', 'storage', 'split_prepare', 'split_install', 'merge_prepare', 'merge_install']),
    aborted: z.boolean().optional(),
    destroyed: z.boolean().optional(),
    credit_first: z.boolean().optional(),
    is_tock: z.boolean().optional(),
    installed: z.boolean().optional(),
    storage_ph: StoragePhase.optional(),
    credit_ph: CreditPhase.optional(),
    compute_ph: ComputePhase.optional(),
    action: ActionPhase.optional(),
    bounce: BouncePhase.optional(),
    split_info: SplitInfo.optional(),
  })
  .meta({ id: 'TransactionDescr' })

const ZEROS = 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA='

export const descriptionExample: z.input<typeof TransactionDescr> = {
  type: 'ord',
  aborted: false,
  destroyed: false,
  credit_first: true,
  storage_ph: { storage_fees_collected: '8', status_change: 'unchanged' },
  compute_ph: {
    skipped: false,
    success: true,
    msg_state_used: false,
    account_activated: false,
    gas_fees: '1323200',
    gas_used: '3308',
    gas_limit: '0',
    gas_credit: '10000',
    mode: 0,
    exit_code: 0,
    vm_steps: 68,
    vm_init_state_hash: ZEROS,
    vm_final_state_hash: ZEROS,
  },
  action: {
    success: true,
    valid: true,
    no_funds: false,
    status_change: 'unchanged',
    total_fwd_fees: '740800',
    total_action_fees: '246929',
    result_code: 0,
    tot_actions: 1,
    spec_actions: 0,
    skipped_actions: 0,
    msgs_created: 1,
    action_list_hash: 'BBkW2FqAD127X7GYIQKcLYZZfQyavPGjJz2L1rg9AhU=',
    tot_msg_size: { cells: '2', bits: '1457' },
  },
}
