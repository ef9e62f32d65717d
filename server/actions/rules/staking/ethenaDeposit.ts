// Dollars of Ethena are put to work.

import { wellKnownAccounts } from '../../../interfaces/index.ts'
import { Picked, type Rule } from '../../rule.ts'
import { JETTON_MINT } from '../jettons/mint.ts'
import { JETTON_TRANSFER } from '../jettons/transfer.ts'
import { ETHENA, stakeDepositKind } from './kinds.ts'

const PAID = wellKnownAccounts.usde.id
const STAKED = wellKnownAccounts.stakedUsde.id

const DEPOSIT = stakeDepositKind('ethena_deposit')

/** Invariant: a transfer of Ethena's dollars makes the known master of staked ones mint. */
export const ethenaDeposit: Rule = {
  name: 'staking/ethenaDeposit',
  begins: (block) => JETTON_TRANSFER.of(block)?.asset === PAID,
  match(block) {
    const paid = JETTON_TRANSFER.of(block)
    const picked = new Picked(block)
    const mint = block.next.find((next) => JETTON_MINT.of(next)?.asset === STAKED)
    const minted = JETTON_MINT.of(mint)
    if (mint === undefined || minted === undefined || paid === undefined) return null
    picked.blocks.add(mint)
    const content = DEPOSIT.content({
      provider: ETHENA,
      holder: paid.sender,
      holderWallet: paid.senderWallet,
      pool: paid.receiver,
      amount: paid.amount,
      minted: minted.amount,
      asset: STAKED,
      sourceAsset: PAID,
    })
    return { blocks: picked.blocks, content, failed: block.failed || mint.failed }
  },
}
