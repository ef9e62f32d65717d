// What a transaction did, phase by phase. Fields without a value are left out.

import { z } from 'zod'
import { Base64Hash, Currencies, Digits } from './values.ts'

const StatusChange = z.enum(['unchanged', 'frozen', 'deleted']).meta({ id: 'StatusChange' })

const StoragePhase = z
  .object({
    storage_fees_collected: Digits.describe('Rent taken, in nanotons.'),
    storage_fees_due: Digits.optional().describe('Rent still owed, in nanotons.'),
    status_change: StatusChange.describe('What unpaid rent did to the account.'),
  })
  .meta({ id: 'StoragePhase' })

const CreditPhase = z
  .object({
    credit: Digits.describe('Amount credited, in nanotons.'),
    due_fees_collected: Digits.optional().describe('Owed rent taken from the credit, in nanotons.'),
    credit_extra_currencies: Currencies.optional().describe('Extra currencies credited.'),
  })
  .meta({ id: 'CreditPhase' })

const ComputePhase = z
  .union([
    z
      .object({
        skipped: z.literal(true),
        reason: z.enum(['no_state', 'bad_state', 'no_gas', 'suspended']).describe('Why the TVM did not run.'),
      })
      .meta({ id: 'SkippedCompute' }),
    z
      .object({
        skipped: z.literal(false),
        success: z.boolean().describe('True when the code ended with exit code 0 or 1.'),
        msg_state_used: z.boolean().describe('True when the StateInit of the message was used.'),
        account_activated: z.boolean().describe('True when the account became active.'),
        gas_fees: Digits.describe('Price of the gas, in nanotons.'),
        gas_used: Digits.describe('Gas spent.'),
        gas_limit: Digits.describe('Gas bought by the message.'),
        gas_credit: Digits.optional().describe('Gas granted before an external message is accepted.'),
        mode: z.int().describe('TVM mode flags, 0 in practice.'),
        exit_code: z.int().describe('TVM exit code; 0 and 1 mean success.'),
        exit_arg: z.int().optional().describe('Argument of the failure, when it has one.'),
        vm_steps: z.int().describe('TVM instructions executed.'),
        vm_init_state_hash: Base64Hash.describe('Hash of the TVM state before.'),
        vm_final_state_hash: Base64Hash.describe('Hash of the TVM state after.'),
      })
      .meta({ id: 'ExecutedCompute' }),
  ])
  .meta({ id: 'ComputePhase' })

const MsgSize = z
  .object({ cells: Digits.describe('Cells in the message.'), bits: Digits.describe('Data bits in the message.') })
  .meta({ id: 'MsgSize' })

const ActionPhase = z
  .object({
    success: z.boolean().describe('True when every action was carried out.'),
    valid: z.boolean().describe('False when the action list is malformed.'),
    no_funds: z.boolean().describe('True when the balance did not cover an action.'),
    status_change: StatusChange.describe('What the actions did to the account.'),
    total_fwd_fees: Digits.optional().describe('Forwarding fees of sent messages, in nanotons.'),
    total_action_fees: Digits.optional().describe('Share of the forwarding fees kept by the validators, in nanotons.'),
    result_code: z.int().describe('0, or the code of the failure.'),
    result_arg: z.int().optional().describe('Index of the failed action.'),
    tot_actions: z.int().describe('Actions in the list.'),
    spec_actions: z.int().describe('Actions other than sending messages.'),
    skipped_actions: z.int().describe('Failed actions that were ignored.'),
    msgs_created: z.int().describe('Messages sent.'),
    action_list_hash: Base64Hash.describe('Hash of the action list cell.'),
    tot_msg_size: MsgSize.describe('Total size of the messages sent.'),
  })
  .meta({ id: 'ActionPhase' })

const BouncePhase = z
  .object({
    type: z.enum(['negfunds', 'nofunds', 'ok']).describe('`ok` when a message was returned, else what prevented it.'),
    msg_size: MsgSize.optional().describe('Size of the returned message.'),
    req_fwd_fees: Digits.optional().describe('Fee that was not covered, in nanotons.'),
    msg_fees: Digits.optional().describe('Fee kept by the validators, in nanotons.'),
    fwd_fees: Digits.optional().describe('Rest of the forwarding fee, in nanotons.'),
  })
  .meta({ id: 'BouncePhase' })

const SplitInfo = z
  .object({
    cur_shard_pfx_len: z.int().describe('Length of the current shard prefix, in bits.'),
    acc_split_depth: z.int().describe('Depth at which the account is split.'),
    this_addr: z.string().describe('Address of this instance, hex.'),
    sibling_addr: z.string().describe('Address of the other instance, hex.'),
  })
  .meta({ id: 'SplitInfo' })

export const TransactionDescr = z
  .object({
    type: z
      .enum(['ord', 'tick_tock', 'storage', 'split_prepare', 'split_install', 'merge_prepare', 'merge_install'])
      .describe('Kind of transaction; it decides which other fields are present.'),
    aborted: z.boolean().optional().describe('True when the computation or its actions failed.'),
    destroyed: z.boolean().optional().describe('True when the account was deleted.'),
    credit_first: z.boolean().optional().describe('True when the amount was credited before rent was taken.'),
    is_tock: z.boolean().optional().describe('Tick-tock: true for a tock, false for a tick.'),
    installed: z.boolean().optional().describe('True for a finished split.'),
    storage_ph: StoragePhase.optional().describe('Rent phase.'),
    credit_ph: CreditPhase.optional().describe('Credit phase; absent for external messages.'),
    compute_ph: ComputePhase.optional().describe('TVM phase.'),
    action: ActionPhase.optional().describe('Phase that carries out the actions of the code.'),
    bounce: BouncePhase.optional().describe('Bounce phase, after a failure.'),
    split_info: SplitInfo.optional().describe('Shard split or merge of a split account.'),
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
