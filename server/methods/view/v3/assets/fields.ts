// Fields that rows of many kinds have, as v3 writes them.

import { toDigits } from '../../../../../shared/primitives.ts'
import { base64Of } from '../../../../cell/index.ts'
import type { AccountKey, JettonMasterRow } from '../../../../store/index.ts'
import { rawOfKey } from '../../../keyOfAccount.ts'

export const rawOrNull = (account: AccountKey | null) => (account === null ? null : rawOfKey(account))
export const base64OrNull = (bytes: Uint8Array | null) => (bytes === null ? null : base64Of(bytes))
export const digitsOrNull = (value: bigint | null) => (value === null ? null : toDigits(value))

type Contract = Pick<JettonMasterRow, 'lastTxLt' | 'codeHash' | 'dataHash'>

export const contractFieldsOf = ({ lastTxLt, codeHash, dataHash }: Contract) => ({
  last_transaction_lt: toDigits(lastTxLt),
  code_hash: base64Of(codeHash),
  data_hash: base64Of(dataHash),
})

/** A copy: results can be changed, rows cannot. */
export const toContent = (content: JettonMasterRow['content']) => content && { ...content }

/** The accounts among some fields, without nulls. */
export const present = (...accounts: readonly (AccountKey | null | undefined)[]): AccountKey[] =>
  accounts.filter((account): account is AccountKey => account instanceof Uint8Array)
