// Jettons are staked with JVault: the pool calls the owner's stake wallet, which accepts them or has them sent back.

import { jvault } from '../../../bodies/index.ts'
import { orNull } from '../../../cell/index.ts'
import type { ActionBlock } from '../../actionBlock.ts'
import { Kind } from '../../actionKind.ts'
import { destinationOf, isCall } from '../../base.ts'
import { digits } from '../../details.ts'
import { fieldsOf, readBody } from '../../reading.ts'
import { Picked, type Rule } from '../../rule.ts'
import { isTransfer } from '../exchanges/legs.ts'
import { forwardedAs, JETTON_TRANSFER, type JettonTransferFacts } from '../jettons/transfer.ts'
import { newsAfter } from './stakeWallet.ts'

interface Stake {
  readonly transfer: JettonTransferFacts
  readonly period: number | null
  readonly minted: bigint | null
  readonly wallet: string | null
}

const JVAULT_STAKE = new Kind<Stake>({
  type: 'jvault_stake',
  describe: ({ transfer: { sender, senderWallet, receiver, asset, amount }, period, minted, wallet }) => ({
    roles: { source: sender, sourceSecondary: senderWallet, destination: receiver, asset },
    details: {
      period,
      minted_stake_jettons: digits(minted),
      stake_wallet: wallet,
      source: sender,
      source_jetton_wallet: senderWallet,
      asset,
      pool: receiver,
      amount: digits(amount),
    },
  }),
})

const readStake = fieldsOf(jvault.stake)
const readReceived = fieldsOf(jvault.receive, 'minted')

function periodOf(entry: ActionBlock): number | null {
  const payload = forwardedAs(entry, jvault.stake)
  return payload === null ? null : (orNull(() => readStake(payload))?.period ?? null)
}

/** Whether the stake wallet took them; null while it has said neither. What follows is picked. */
function isTaken(receive: ActionBlock, picked: Picked): boolean | null {
  const cancel = picked.next(receive, isCall(jvault.cancel.opcode))
  if (cancel !== null) {
    picked.next(cancel, isTransfer)
    return false
  }
  const update = picked.next(receive, isCall(jvault.updateRequest.opcode))
  return update === null || newsAfter(update, picked) === null ? null : !receive.failed && !update.failed
}

/**
 * Invariant: a transfer to the pool makes it call the sender's stake wallet, which reports back to be updated, or
 * cancels.
 */
export const jvaultStake: Rule = {
  name: 'jvault/stake',
  begins: isCall(jvault.receive.opcode),
  match(receive) {
    const picked = new Picked()
    const entry = receive.previous
    const transfer = JETTON_TRANSFER.of(entry)
    if (entry === null || transfer === undefined || entry.failed) return null
    picked.blocks.add(entry)
    picked.add(receive)
    picked.next(entry, isCall(jvault.setData.opcode))
    const taken = isTaken(receive, picked)
    if (taken === null) return null
    const content = JVAULT_STAKE.content({
      transfer,
      period: periodOf(entry),
      minted: taken ? (readBody(receive, readReceived)?.minted ?? null) : null,
      wallet: destinationOf(receive),
    })
    return { blocks: picked.blocks, content, failed: !taken }
  },
}
