// A stake with JVault is taken back, at once or by a request that waits for its time.

import { jvault } from '../../../bodies/index.ts'
import { wellKnownAccounts } from '../../../interfaces/index.ts'
import type { ActionBlock } from '../../actionBlock.ts'
import { Kind } from '../../actionKind.ts'
import { cameBack, envelopeOf, isCall, type MessageHead, TON_TRANSFER } from '../../base.ts'
import { digits } from '../../details.ts'
import type { AccountsFacts } from '../../input.ts'
import { fieldsOf, readBody } from '../../reading.ts'
import { Picked, type Rule } from '../../rule.ts'
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
  readonly update: ActionBlock | null
}

function startOf(request: ActionBlock): Start {
  const picked = new Picked(request)
  return { picked, update: picked.next(request, isCall(jvault.updateRequest.opcode)) }
}

function unstakeOf(request: ActionBlock, update: ActionBlock | null, facts: AccountsFacts): Unstake {
  const from = envelopeOf(request)
  const wallet = from?.destination ?? null
  const pool = poolOf(wallet, update, facts)
  const asset = facts.get(stakesWalletOf(pool, facts) ?? '')?.jettonWallet?.jetton ?? null
  return {
    owner: from?.source ?? null,
    wallet,
    pool,
    // Without an asset it would look like TON.
    amount: asset === null ? null : (readBody(request, readAmount)?.amount ?? null),
    exitCode: request.first.transaction.exitCode,
    asset,
    stakingAsset: facts.get(wallet ?? '')?.jettonWallet?.jetton ?? null,
  }
}

const isTransferTo =
  (owner: string | null) =>
  (block: ActionBlock): boolean =>
    JETTON_TRANSFER.of(block)?.receiver === owner

/** The most that an account was sent at once; null when nothing was. */
const mostPaid = (sent: readonly (MessageHead | undefined)[], owner: string | null): bigint | null =>
  sent.reduce<bigint | null>((most, envelope) => {
    if (envelope?.destination !== owner) return most
    const value = envelope.value ?? 0n
    return most === null || value > most ? value : most
  }, null)

const readShares = fieldsOf(jvault.updateRequest, 'paid', 'commission')

/** What a pool kept of a stake: only its own stake wallets can make a pool of JVault do what they report. */
function keptOf(
  update: ActionBlock,
  { moved, pool }: { moved: bigint; pool: string | null },
  facts: AccountsFacts,
): bigint {
  if (facts.get(pool ?? '')?.nftItem?.collection !== wellKnownAccounts.jvaultPools.id) return 0n
  const shares = readBody(update, readShares)
  return shares?.paid === moved ? shares.commission : 0n
}

/**
 * Invariant: the stake wallet, requested by its owner, has the pool pay; the amount is what was paid, and what a pool of
 * JVault keeps of the stake.
 */
export const jvaultUnstake: Rule = {
  name: 'jvault/unstake',
  begins: isCall(jvault.unstake.opcode),
  match(request, facts) {
    const { picked, update } = startOf(request)
    const base = unstakeOf(request, update, facts)
    if (update === null)
      return request.failed ? { blocks: picked.blocks, content: JVAULT_UNSTAKE.content(base), failed: true } : null
    const { owner, pool } = base
    const transferred = picked.next(update, isTransferTo(owner))
    const transfer = JETTON_TRANSFER.of(transferred)
    // Besides a commission there may be the stake itself, when that is TON.
    const sent = picked.every(update, (block) => TON_TRANSFER.is(block))
    const paid = mostPaid(sent.filter((block) => !cameBack(block)).map(envelopeOf), owner)
    const moved = transfer?.amount ?? paid
    newsAfter(update, picked)
    if (moved === null) return { blocks: new Set([request]), content: JVAULT_UNSTAKE.content(base), failed: true }
    const content = JVAULT_UNSTAKE.content({
      ...base,
      amount: moved + keptOf(update, { moved, pool }, facts),
      asset: transfer?.asset ?? (paid === null ? base.asset : null),
    })
    return { blocks: picked.blocks, content, failed: transferred?.failed === true }
  },
}

/** Invariant: the stake wallet, requested by its owner, reports to the pool, which updates it; nothing moves. */
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
