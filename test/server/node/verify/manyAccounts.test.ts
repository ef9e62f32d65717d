// Accounts of one state that are read one after the other: what earlier proofs have shown is used, and each answer is what it is.

import { expect, test } from 'vitest'
import { ProofError } from '../../../../server/node/index.ts'
import { verifyAccount } from '../../../../server/node/verify/index.ts'
import { liteOf, openChain } from '../../devchain/devchains.ts'

/** More than are kept of one state. */
const ACCOUNTS = 600
const STEP = 97

const accountOf = (number: number) => {
  const hash = Buffer.alloc(32, number)
  hash.writeUInt32BE((number * 0x9e3779b1) >>> 0)
  return { workchain: 0, hash: new Uint8Array(hash) }
}

async function openLite() {
  const { chain } = await openChain()
  const lite = await liteOf(chain)
  const accounts = Array.from({ length: ACCOUNTS }, (_, i) => ({
    workchain: 0,
    id: accountOf(i).hash,
    balance: BigInt(i + 1),
  }))
  await Promise.all(accounts.map((account) => chain.control.setAccount(account)))
  await chain.control.mine(1)
  return { lite, id: chain.head().master.id }
}

test('default: each has its own balance in any order, those that do not exist have none, and no other answer is taken', async () => {
  const { lite, id } = await openLite()
  for (let i = 0; i < 2 * ACCOUNTS; i++) {
    const number = (i * STEP) % (2 * ACCOUNTS)
    const account = accountOf(number)
    const answer = await lite.accountState(id, account)
    const balanceIn = (shown: typeof answer) => verifyAccount(id, account, shown).account?.storage.balance.grams ?? null
    const balance = number < ACCOUNTS ? BigInt(number + 1) : null
    expect(balanceIn(answer)).toBe(balance)
    if (i % STEP !== 0) continue
    const other = await lite.accountState(id, accountOf(number + 1))
    expect(() => balanceIn(other)).toThrow()
    let refused = 0
    for (let at = 0; at < answer.proof.length; at++) {
      const proof = new Uint8Array(answer.proof)
      proof[at] = (proof[at] ?? 0) ^ 1
      try {
        expect(balanceIn({ ...answer, proof })).toBe(balance)
      } catch (error) {
        expect(error).toBeInstanceOf(ProofError)
        refused++
      }
    }
    expect(refused).toBeGreaterThan(answer.proof.length - 3)
  }
})
