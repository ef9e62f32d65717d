// How a transaction went, as the text that goes over the wire. It is written once, when the block is indexed; what is null
// is left out.

import { base64Of } from '../../cell/index.ts'
import type { ExtraCurrencyAmounts } from '../../store/index.ts'
import type {
  ActionPhase,
  BouncePhase,
  ComputePhase,
  CreditPhase,
  CurrencyCollection,
  SkipReason,
  SplitMergeInfo,
  StoragePhase,
  StorageUsed,
  TransactionDescription,
} from '../../tlb/index.ts'

/** Reads the extra currencies of an amount. */
export type ReadExtra = (amount: CurrencyCollection) => ExtraCurrencyAmounts

const REASONS: Readonly<Record<SkipReason, string>> = {
  noState: 'no_state',
  badState: 'bad_state',
  noGas: 'no_gas',
  suspended: 'suspended',
}

const digits = (value: bigint): string => `"${value}"`
/** `,"name":value`, or nothing for null. */
const optional = (name: string, value: bigint | null): string => (value === null ? '' : `,"${name}":"${value}"`)
const optionalNumber = (name: string, value: number | null): string => (value === null ? '' : `,"${name}":${value}`)

function storagePhase({ feesCollected, feesDue, statusChange }: StoragePhase): string {
  const due = optional('storage_fees_due', feesDue)
  return `{"storage_fees_collected":${digits(feesCollected)}${due},"status_change":"${statusChange}"}`
}

function creditPhase({ credit, dueFeesCollected }: CreditPhase, read: ReadExtra): string {
  const extra = credit.other.root === null ? '' : `,"credit_extra_currencies":${JSON.stringify(read(credit))}`
  return `{"credit":${digits(credit.grams)}${optional('due_fees_collected', dueFeesCollected)}${extra}}`
}

function computePhase(phase: ComputePhase): string {
  if (phase.kind === 'skipped') return `{"skipped":true,"reason":"${REASONS[phase.reason]}"}`
  const { gasCredit } = phase
  return (
    `{"skipped":false,"success":${phase.success},"msg_state_used":${phase.messageStateUsed}` +
    `,"account_activated":${phase.accountActivated},"gas_fees":${digits(phase.gasFees)}` +
    `,"gas_used":${digits(phase.gasUsed)},"gas_limit":${digits(phase.gasLimit)}` +
    `${gasCredit === null ? '' : `,"gas_credit":"${gasCredit}"`},"mode":${phase.mode},"exit_code":${phase.exitCode}` +
    `${optionalNumber('exit_arg', phase.exitArg)},"vm_steps":${phase.vmSteps}` +
    `,"vm_init_state_hash":"${base64Of(phase.initStateHash)}","vm_final_state_hash":"${base64Of(phase.finalStateHash)}"}`
  )
}

const size = ({ cells, bits }: StorageUsed): string => `{"cells":"${cells}","bits":"${bits}"}`

function actionPhase(phase: ActionPhase): string {
  return (
    `{"success":${phase.success},"valid":${phase.valid},"no_funds":${phase.noFunds}` +
    `,"status_change":"${phase.statusChange}"${optional('total_fwd_fees', phase.totalFwdFees)}` +
    `${optional('total_action_fees', phase.totalActionFees)},"result_code":${phase.resultCode}` +
    `${optionalNumber('result_arg', phase.resultArg)},"tot_actions":${phase.totalActions}` +
    `,"spec_actions":${phase.specialActions},"skipped_actions":${phase.skippedActions}` +
    `,"msgs_created":${phase.messagesCreated},"action_list_hash":"${base64Of(phase.actionListHash)}"` +
    `,"tot_msg_size":${size(phase.totalMessageSize)}}`
  )
}

function bouncePhase(phase: BouncePhase): string {
  if (phase.kind === 'negativeFunds') return '{"type":"negfunds"}'
  const measured = `"msg_size":${size(phase.messageSize)}`
  if (phase.kind === 'noFunds') return `{"type":"nofunds",${measured},"req_fwd_fees":${digits(phase.requiredFwdFees)}}`
  return `{"type":"ok",${measured},"msg_fees":${digits(phase.messageFees)},"fwd_fees":${digits(phase.fwdFees)}}`
}

/** Account ids in the spelling addresses have behind their workchain. */
const id = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex').toUpperCase()

const splitInfo = ({ shardPrefixLength, splitDepth, account, sibling }: SplitMergeInfo): string =>
  `,"split_info":{"cur_shard_pfx_len":${shardPrefixLength},"acc_split_depth":${splitDepth}` +
  `,"this_addr":"${id(account)}","sibling_addr":"${id(sibling)}"}`

interface Phases {
  readonly storage: StoragePhase | null
  readonly credit?: CreditPhase | null
  readonly compute: ComputePhase
  readonly action: ActionPhase | null
  readonly bounce?: BouncePhase | null
}

const phases = ({ storage, credit = null, compute, action, bounce = null }: Phases, read: ReadExtra): string =>
  (storage === null ? '' : `,"storage_ph":${storagePhase(storage)}`) +
  (credit === null ? '' : `,"credit_ph":${creditPhase(credit, read)}`) +
  `,"compute_ph":${computePhase(compute)}` +
  (action === null ? '' : `,"action":${actionPhase(action)}`) +
  (bounce === null ? '' : `,"bounce":${bouncePhase(bounce)}`)

const ends = ({ aborted, destroyed }: { readonly aborted: boolean; readonly destroyed: boolean }): string =>
  `"aborted":${aborted},"destroyed":${destroyed}`

/**
 * JSON of a transaction's description, in one piece: joined by templates it would be a tree of some sixty strings, each of which was
 * copied twice by the collector while the row waited to be written.
 */
export const descriptionText = (value: TransactionDescription, read: ReadExtra): string =>
  ['{"type":', fieldsOf(value, read), '}'].join('')

function fieldsOf(value: TransactionDescription, read: ReadExtra): string {
  switch (value.kind) {
    case 'ordinary':
      return `"ord",${ends(value)},"credit_first":${value.creditFirst}${phases(value, read)}`
    case 'tickTock':
      return `"tick_tock",${ends(value)},"is_tock":${value.isTock}${phases(value, read)}`
    case 'storage':
      return `"storage","storage_ph":${storagePhase(value.storage)}`
    case 'splitPrepare':
      return `"split_prepare",${ends(value)}${splitInfo(value.split)}${phases(value, read)}`
    case 'splitInstall':
      return `"split_install","installed":${value.installed}${splitInfo(value.split)}`
    case 'mergePrepare':
      return `"merge_prepare","aborted":${value.aborted}${splitInfo(value.split)},"storage_ph":${storagePhase(value.storage)}`
    case 'mergeInstall':
      return `"merge_install",${ends(value)}${splitInfo(value.split)}${phases(value, read)}`
  }
}
