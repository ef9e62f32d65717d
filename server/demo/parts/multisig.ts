// A multisig of three signers with a threshold of two: one order is executed, one is pending with one approval.

import { commentBody, type Deployment, outgoingMessage } from '../../devchain/index.ts'
import {
  approveBody,
  approveTextBody,
  multisigOrderOf,
  multisigWallet,
  newOrderBody,
  orderCell,
} from '../contracts/index.ts'
import { type Scene, type ScriptPart, type ScriptStep, scriptCoins } from '../script.ts'
import { PART_TITLES } from './titles.ts'

const DAY = 86_400

/** Each round adds a proposer, which changes the address. */
function sharedWallet({ cast, round }: Scene): Deployment {
  const signers = [1, 2, 3].map((number) => cast.wallet(number).address)
  const proposers = Array.from({ length: round + 1 }, (_, place) => cast.wallet(4 + (place % 7)).address)
  return multisigWallet({ threshold: 2, signers, proposers })
}

function steps(scene: Scene): ScriptStep[] {
  const { wallet } = scene.cast
  const shared = sharedWallet(scene)
  const order = multisigOrderOf(shared.address, 0n).address
  const paying = (number: number, amount: number, note: string) =>
    orderCell([
      {
        kind: 'message',
        mode: 3,
        message: outgoingMessage({
          to: wallet(number).address,
          value: scriptCoins(amount),
          body: commentBody(note),
          bounce: false,
        }),
      },
    ])
  const expiresAt = scene.start + 30 * DAY
  const proposed = newOrderBody({
    queryId: 60n,
    seqno: 0n,
    by: { role: 'proposer', index: 0 },
    expiresAt,
    order: paying(5, 7, 'Out of the common purse'),
  })
  const pending = newOrderBody({
    queryId: 61n,
    seqno: 1n,
    by: { role: 'signer', index: 0 },
    expiresAt,
    order: paying(6, 3, 'If the others agree'),
  })
  return [
    { acts: [{ by: wallet(1), sends: [{ to: shared, value: scriptCoins(50), bounce: false }] }] },
    { acts: [{ by: wallet(4), sends: [{ to: shared.address, value: scriptCoins(1), body: proposed }] }] },
    { acts: [{ by: wallet(2), sends: [{ to: order, value: scriptCoins(0.2), body: approveBody(62n, 1) }] }] },
    { acts: [{ by: wallet(3), sends: [{ to: order, value: scriptCoins(0.2), body: approveTextBody() }] }] },
    { acts: [{ by: wallet(1), sends: [{ to: shared.address, value: scriptCoins(1), body: pending }] }] },
  ]
}

export const multisigPart: ScriptPart = {
  name: 'multisig',
  title: PART_TITLES.multisig,
  mark: (scene) => sharedWallet(scene).address,
  steps,
}
