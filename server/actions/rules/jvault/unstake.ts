// A stake with JVault is taken back, at once or by a request that waits for its time.

import { jvault } from '../../../bodies/index.ts'
import { envelopeOf, isCall, type MessageHead, TON_TRANSFER } from '../../base.ts'
import type { Block } from '../../block.ts'
import { digits } from '../../details.ts'
import type { Facts } from '../../input.ts'
import { Kind } from '../../kind.ts'
import { fieldsOf, readBody } from '../../reading.ts'
import { Picked, type Rule } from '../../rule.ts'
import { isTransfer } from '../exchanges/legs.ts'
import { JETTON_TRANSFER } from '../jettons/transfer.ts'
import { newsAfter, poolOf, stakesWalletOf } from './stakeWallet.ts'

interface Unstake {
  readonly owner: string | null
  readonly wallet: string | null
  readonly pool: string | null
  readonly amount: bigint | null
  readonly exitCode: number | null
  /** What comes back, or what the pool holds of the stakes as long as nothing did; null for TON. */
  readonly asset: string | null
  /** What stakes are counted in. */
  readonly stakingAsset: string | null
}

const unstakeKind = (type: string): Kind<Unstake> =>
  new Kind({
    type,
    describe: ({ owner, wallet, pool, amount, exitCode, asset, stakingAsset }) => ({
      roles: { source: owner, sourceSecondary: wallet, destination: pool, asset, asset2: stakingAsset },
      details: {
        source: owner,
        stake_wallet: wallet,
        pool,
        amount: digits(amount),
        exit_code: exitCode,
        asset,
        staking_asset: stakingAsset,
      },
    }),
  })

const JVAULT_UNSTAKE = unstakeKind('jvault_unstake')
const JVAULT_UNSTAKE_REQUEST = unstakeKind('jvault_unstake_request')

/** The request has the same layout. */
const readAmount = fieldsOf(jvault.unstake, 'amount')

interface Start {
  readonly picked: Picked
  readonly update: Block | null
}

function startOf(request: Block): Start {
  const picked = new Picked(request)
  return { picked, update: picked.next(request, isCall(jvault.updateRequest.opcode)) }
}

function unstakeOf(request: Block, update: Block | null, facts: Facts): Unstake {
  const from = envelopeOf(request)
  const wallet = from?.destination ?? null
  const pool = poolOf(wallet, update, facts)
  return {
    owner: from?.source ?? null,
    wallet,
    pool,
    amount: readBody(request, readAmount)?.amount ?? null,
    exitCode: request.first.transaction.exitCode,
    asset: facts.get(stakesWalletOf(pool, facts) ?? '')?.jettonWallet?.jetton ?? null,
    stakingAsset: facts.get(wallet ?? '')?.jettonWallet?.jetton ?? null,
  }
}

/** The most that an account was sent at once; null when nothing was. */
const mostPaid = (sent: readonly (MessageHead | undefined)[], owner: string | null): bigint | null =>
  sent.reduce<bigint | null>((most, envelope) => {
    if (envelope?.destination !== owner) return most
    const value = envelope.value ?? 0n
    return most === null || value > most ? value : most
  }, null)

export const jvaultUnstake: Rule = {
  name: 'jvault/unstake',
  begins: isCall(jvault.unstake.opcode),
  match(request, facts) {
    const { picked, update } = startOf(request)
    const base = unstakeOf(request, update, facts)
    if (update === null)
      return request.failed ? { blocks: picked.blocks, content: JVAULT_UNSTAKE.content(base), failed: true } : null
    const transfer = JETTON_TRANSFER.of(picked.next(update, isTransfer))
    // Besides a commission there may be the stake itself, when that is TON.
    const sent = picked.every(update, (block) => TON_TRANSFER.is(block)).map(envelopeOf)
    const paid = mostPaid(sent, base.owner)
    const moved = transfer?.amount ?? paid
    newsAfter(update, picked)
    if (moved === null) return { blocks: new Set([request]), content: JVAULT_UNSTAKE.content(base), failed: true }
    const { amount } = base
    // The pool keeps a fee: a part of the stake, so that most of it comes back.
    const isFee = amount !== null && 2n * moved >= amount
    const content = JVAULT_UNSTAKE.content({
      ...base,
      amount: isFee ? amount : moved,
      asset: transfer?.asset ?? (paid === null ? base.asset : null),
    })
    return { blocks: picked.blocks, content, failed: false }
  },
}

export const jvaultUnstakeRequest: Rule = {
  name: 'jvault/unstakeRequest',
  begins: isCall(jvault.unstakeRequest.opcode),
  match(request, facts) {
    const { picked, update } = startOf(request)
    if (update === null && !request.failed) return null
    const isDone = update !== null && newsAfter(update, picked) !== null
    const content = JVAULT_UNSTAKE_REQUEST.content(unstakeOf(request, update, facts))
    return { blocks: isDone ? picked.blocks : new Set([request]), content, failed: !isDone }
  },
}
