// Shared and locked wallets as rows, and pools.

import { NO_CRC, writingBoc } from '../../../cell/index.ts'
import type { DedustPool, MultisigData, MultisigOrderData, VestingData } from '../../../contracts/index.ts'
import { inPieces } from '../../../fairness/index.ts'
import type { ContractRow, DedustPoolRow, MultisigOrderRow, MultisigRow, VestingRow } from '../../../store/index.ts'
import { int64, keyOf, keyOrNull } from './values.ts'

export const multisigRow = (head: ContractRow, facts: MultisigData): MultisigRow => ({
  nextOrderSeqno: facts.nextOrderSeqno,
  threshold: int64(facts.threshold),
  signers: facts.signers.map(keyOf),
  proposers: facts.proposers.map(keyOf),
  ...head,
})

export const orderRow = async (head: ContractRow, facts: MultisigOrderData): Promise<MultisigOrderRow> => ({
  multisig: keyOf(facts.multisig),
  orderSeqno: facts.orderSeqno,
  threshold: int64(facts.threshold),
  sentForExecution: facts.sentForExecution,
  approvalsMask: facts.approvalsMask,
  approvalsNum: int64(facts.approvalsNum),
  expirationDate: int64(facts.expirationDate),
  signers: facts.signers.map(keyOf),
  order: await inPieces(writingBoc(facts.order, NO_CRC)),
  ...head,
})

export const vestingRow = (head: ContractRow, facts: VestingData): VestingRow => ({
  startTime: int64(facts.startTime),
  totalDuration: int64(facts.totalDuration),
  unlockPeriod: int64(facts.unlockPeriod),
  cliffDuration: int64(facts.cliffDuration),
  totalAmount: facts.totalAmount,
  sender: keyOf(facts.sender),
  owner: keyOf(facts.owner),
  whitelist: facts.whitelist.map(keyOf),
  ...head,
})

export const poolRow = (head: ContractRow, { assets: [one, other] }: DedustPool): DedustPoolRow => ({
  asset1: keyOrNull(one),
  asset2: keyOrNull(other),
  ...head,
})
