// Jettons are staked with JVault: the pool calls the owner's stake wallet, which accepts them or has them sent back.

import type { Slice } from '../../../cell/index.ts'
import { envelopeOf, isCall } from '../../base.ts'
import type { Block } from '../../block.ts'
import { digits } from '../../details.ts'
import { Kind } from '../../kind.ts'
import { readBody } from '../../reading.ts'
import { Picked, type Rule } from '../../rule.ts'
import { isTransfer } from '../exchanges/legs.ts'
import { JETTON_TRANSFER, type JettonTransfer } from '../jettons/transfer.ts'
import { newsAfter, UPDATE_REQUEST } from './stakeWallet.ts'

const STAKE_PAYLOAD = 0xe3a06989
const RECEIVE = 0xd68a4ac1
const CANCEL = 0x9eada1d9
const SET_DATA = 0x383411ea

interface Stake {
  readonly transfer: JettonTransfer
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

function periodOf({ forwardPayload }: JettonTransfer): number | null {
  const payload = forwardPayload?.clone()
  if (payload === undefined || payload.remainingBits < 64 || payload.loadUint(32) !== STAKE_PAYLOAD) return null
  return payload.loadUint(32)
}

/** Behind both bounds of a stake, and what it costs to take it back. */
const readStaked = (body: Slice): bigint => {
  body.skip(64).loadCoins()
  body.loadCoins()
  body.skip(16).loadCoins()
  return body.loadCoins()
}

/** Whether the stake wallet took them; null while it has said neither. What follows is picked. */
function isTaken(receive: Block, picked: Picked): boolean | null {
  const cancel = picked.next(receive, isCall(CANCEL))
  if (cancel !== null) {
    picked.next(cancel, isTransfer)
    return false
  }
  const update = picked.next(receive, isCall(UPDATE_REQUEST))
  return update === null || newsAfter(update, picked) === null ? null : !receive.failed && !update.failed
}

export const jvaultStake: Rule = {
  name: 'jvault/stake',
  begins: isCall(RECEIVE),
  match(receive) {
    const picked = new Picked()
    const entry = receive.previous
    const transfer = JETTON_TRANSFER.of(entry)
    if (entry === null || transfer === undefined) return null
    picked.blocks.add(entry)
    picked.add(receive)
    picked.next(entry, isCall(SET_DATA))
    const taken = isTaken(receive, picked)
    if (taken === null) return null
    const content = JVAULT_STAKE.content({
      transfer,
      period: periodOf(transfer),
      minted: taken ? readBody(receive, readStaked) : null,
      wallet: envelopeOf(receive)?.destination ?? null,
    })
    return { blocks: picked.blocks, content, failed: !taken }
  },
}
