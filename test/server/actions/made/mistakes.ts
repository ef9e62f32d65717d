// Made traces of which the reference says something else than the chain. A difference counts as its mistake only where the
// messages of that very trace prove it.

import type { ClassifiedAction } from '../../../../server/actions/index.ts'
import { elector } from '../../../../server/bodies/index.ts'
import type { KnownTrace } from '../../../../server/cli/classify/knownTrace.ts'
import { hasMoved, isTon, jettonAmountOf, jettonsMoved, PROXY_TON, paidLegs, tonKept } from '../moved.ts'

interface Case extends KnownTrace {
  /** Ours, of the type that differs. */
  readonly actions: readonly ClassifiedAction[]
  readonly difference: string
}

interface Mistake {
  readonly why: string
  /** How a difference begins. */
  readonly difference: RegExp
  /** Made traces it was seen in, where it is not a mistake in general. */
  readonly traces?: readonly string[]
  readonly holds: (found: Case) => boolean
}

const transactionsOf = ({ trace }: KnownTrace, action: ClassifiedAction) =>
  trace.transactions.filter(({ hash }) => action.transactions.includes(hash))

/** Whether a step of an action did not go through: a call of one of these operations, in its own transactions. */
const stepFailed =
  (...opcodes: readonly number[]) =>
  (found: Case): boolean =>
    found.actions.some(
      (action) =>
        !action.success &&
        transactionsOf(found, action).some(
          ({ aborted, inMessage }) => aborted && opcodes.includes(inMessage?.opcode ?? -1),
        ),
    )

const moved = ({ trace, facts }: KnownTrace) => [...jettonsMoved(trace, facts), ...tonKept(trace)]

const isUnpaid = (found: Case): boolean =>
  found.actions.some(
    (action) =>
      !action.success && paidLegs(action).some((leg) => leg.amount !== '0' && !hasMoved(action, leg, moved(found))),
  )

/** Whether a wallet of proxied TON was to transfer what neither came with the request nor went on. */
const hasKeptProxyTon = ({ trace, facts }: Case): boolean =>
  trace.transactions.some(({ account, aborted, inMessage, outMessages }) => {
    if (aborted || inMessage?.opcode !== TRANSFER || !PROXY_TON.has(facts.get(account)?.jettonWallet?.jetton ?? ''))
      return false
    const amount = jettonAmountOf(inMessage.body) ?? 0n
    return [inMessage, ...outMessages].every(({ value }) => (value ?? 0n) < amount)
  })

/** What is expected, behind the colon of a difference. */
const expectedIn = ({ difference }: Case): unknown => JSON.parse(difference.split(', expected ')[1] ?? 'null')

const INTERNAL_TRANSFER = 0x178d4519
const TRANSFER = 0x0f8a7ea5

/** Calls without which an action of a type has not taken place. */
const STEPS: Readonly<Record<string, readonly number[]>> = {
  // The contract that was to come to life did not, or never learned which wallet is its own.
  coffee_create_pool_creator: [0xc0ffee22],
  coffee_create_vault: [0xc0ffee22, 0x2c76b973, 0xd1735400],
  tonco_deploy_pool: [0x441c39ed],
  // The master refused the notification, and what was burnt is in the wallet again.
  jetton_burn: [0x7bdd97de],
  // The jettons were not minted, or their wallet did not take them.
  tgbtc_mint: [0x642b7d07, INTERNAL_TRANSFER],
  stake_deposit: [0x642b7d07, INTERNAL_TRANSFER],
  // The wallet did not lock them.
  stake_withdrawal_request: [0xb2583ed5],
  // The wallet of the pool's jetton did not take it.
  dex_deposit_liquidity: [INTERNAL_TRANSFER],
  // The jettons did not reach their owner.
  evaa_withdraw: [TRANSFER, INTERNAL_TRANSFER],
  // The stake went back to the elector.
  election_recover: [elector.recoverStakeResponse.opcode],
  // The item did not go to its buyer.
  nft_purchase: [0x5fcc3d14],
  layerzero_commit_packet: [0x5e178f33],
  // The subscription is as it was.
  unsubscribe: [0x64737472],
  // The bid that was outdone came back to the sale.
  auction_outbid: [0],
  // The jettons did not reach their owner.
  coffee_staking_withdraw: [TRANSFER, INTERNAL_TRANSFER],
  coffee_staking_claim_rewards: [TRANSFER, INTERNAL_TRANSFER],
  jvault_claim: [TRANSFER, INTERNAL_TRANSFER],
  jvault_unstake: [0x499a9262, 0xf5c5baa3, TRANSFER, INTERNAL_TRANSFER],
}

const MISTAKES: readonly Mistake[] = [
  ...Object.entries(STEPS).map(([type, opcodes]) => ({
    why: 'a step that the action cannot do without failed, and the reference looks at another one, or at none',
    difference: new RegExp(`^${type} success: false, expected true`),
    holds: stepFailed(...opcodes),
  })),
  {
    why: 'what the exchange was to pay never reached its receiver',
    difference: /^(jetton_swap|dex_withdraw_liquidity) success: false, expected true/,
    holds: isUnpaid,
  },
  {
    why: 'proxied TON that neither came in nor went on was not transferred',
    difference: /^jetton_(transfer|swap) success: false, expected true/,
    holds: hasKeptProxyTon,
  },
  {
    why: 'TON that a wallet of the proxy paid came back from its receiver',
    difference: /^jetton_(transfer|swap) success: false, expected true/,
    holds: ({ trace, facts }) =>
      trace.transactions.some(
        ({ aborted, inMessage }) =>
          aborted &&
          inMessage?.bounce === true &&
          PROXY_TON.has(facts.get(inMessage.source ?? '')?.jettonWallet?.jetton ?? ''),
      ),
  },
  {
    why: 'the pool has sent no jettons back',
    difference: /^jvault_unstake success: false, expected true/,
    holds: (found) =>
      found.actions.some((action) =>
        transactionsOf(found, action).every(({ inMessage }) => inMessage?.opcode !== INTERNAL_TRANSFER),
      ),
  },
  {
    why: 'a side of which nothing was taken is shown with the owner as its own jetton wallet',
    difference: /^dex_withdraw_liquidity user_jetton_wallet_[12]: null/,
    holds: (found) => found.actions.some(({ details }) => details.source === expectedIn(found)),
  },
  {
    why: 'TON is TON, whether or not its proxy has sent it on',
    difference: /^dex_withdraw_liquidity asset[12]_out: null/,
    holds: (found) => isTon(expectedIn(found)),
  },
  {
    why: 'what was to be given back never came',
    difference: /^dex_deposit_liquidity vault_excesses:/,
    holds: (found) =>
      found.actions.some((action) => {
        const shown = JSON.stringify(action.details.vault_excesses)
        // The cast: the shape of the column.
        const expected = expectedIn(found) as readonly { readonly asset: unknown; readonly amount: unknown }[]
        const absent = expected.filter(({ amount }) => !shown.includes(`"${String(amount)}"`))
        const arrived = moved(found)
        return (
          absent.length > 0 && absent.every((leg) => !hasMoved(action, { ...leg, to: action.details.source }, arrived))
        )
      }),
  },
  {
    why: 'what was withdrawn went to another account than the one named',
    difference: /^evaa_withdraw (destination|accounts|recipient):/,
    traces: ['tonstakers-02: together with evaa-05'],
    holds: (found) =>
      found.actions.some((action) => {
        const { asset, amount, recipient } = action.details
        return hasMoved(action, { asset, amount, to: recipient }, moved(found))
      }),
  },
  {
    why: 'the item did not leave the contract that was to give it up',
    difference: /^nft_(cancel_sale|cancel_auction|finish_auction) success: false, expected true/,
    holds: ({ actions, trace }) =>
      actions.some(({ details }) =>
        trace.transactions.some(
          ({ aborted, inMessage }) =>
            aborted &&
            inMessage?.opcode === 0x5fcc3d14 &&
            inMessage.source === (details.sale_address ?? details.auction_address),
        ),
      ),
  },
  {
    why: 'the payment came back from the seller',
    difference: /^nft_purchase payout_(amount|address): null/,
    holds: ({ actions, trace }) =>
      actions.some(({ details }) =>
        trace.transactions.some(
          ({ account, aborted, inMessage }) =>
            account === details.real_old_owner && aborted && inMessage?.opcode == null && inMessage?.bounce === true,
        ),
      ),
  },
  {
    why: 'a message that does not bounce has paid its receiver, whatever that makes of it',
    difference: /^cocoon_proxy_payout success: true, expected false/,
    holds: (found) =>
      found.actions.some((action) =>
        tonKept(found.trace).some(
          ({ to, from, transaction }) =>
            action.transactions.includes(transaction) &&
            from === action.details.source &&
            to === action.details.destination,
        ),
      ),
  },
  {
    why: 'what was to be withdrawn has been paid; only the report to the contract of the user failed',
    difference: /^evaa_withdraw not_expected/,
    holds: (found) =>
      found.actions.some((action) =>
        hasMoved(
          action,
          { asset: action.details.asset, amount: action.details.amount, to: action.details.recipient },
          moved(found),
        ),
      ),
  },
  {
    why: 'a transfer to an account that has no other part in the trace is counted in',
    difference:
      /^(evaa_withdraw|layerzero_send) (tx_hashes|accounts|end_lt|end_utime):|^ton_transfer ancestor_type: \[\]/,
    traces: ['evaa-05: a transfer first from 4', 'layerzero-01: a transfer first from 13'],
    holds: ({ trace }) => {
      const strangers = trace.transactions.filter(
        ({ inMessage, outMessages, account }) =>
          outMessages.length === 0 &&
          inMessage?.opcode === 0 &&
          trace.transactions.filter((other) => other.account === account).length === 1,
      )
      return strangers.length > 0
    },
  },
  {
    why: 'a message without TON brings none',
    difference:
      /^(jetton_swap|cocoon_client_top_up) none|^jetton_transfer not_expected|^call_contract (not_expected|ancestor_type: \[\], expected \["cocoon_client_top_up"\])/,
    traces: ['tonco-02: TON zero', 'cocoon-03: TON zero'],
    holds: ({ trace }) => tonKept(trace).every(({ amount }) => amount === 0n),
  },
  {
    why: 'a collection is shown that does not say it has the item',
    difference: /^nft_discovery (asset|accounts|nft_collection):/,
    holds: ({ actions, facts }) =>
      actions.some(
        ({ details }) => details.nft_collection === null && facts.get(String(details.nft_item))?.nftItem === undefined,
      ),
  },
  {
    why: 'the wallet whose TON is locked sent nothing but its answer',
    difference: /^vesting_send_message success/,
    holds: ({ trace }) =>
      trace.transactions.some(
        ({ inMessage, outMessages }) =>
          inMessage?.opcode === 0xa7733acd && outMessages.every(({ opcode }) => opcode === 0xf7733acd),
      ),
  },
  {
    why: 'the contract of the stake has requested nothing of its pool',
    difference:
      /^jvault_unstake_request none|^call_contract ancestor_type: \[\], expected \["jvault_unstake_request"\]/,
    holds: ({ trace }) =>
      trace.transactions.some(
        ({ inMessage, outMessages }) =>
          inMessage?.opcode === 0x0168d4b7 && outMessages.every(({ opcode }) => opcode === 0xffffffff),
      ),
  },
]

const typeOf = (difference: string): string => difference.split(' ')[0] ?? ''

/** Why a trace differs, where each of its differences is a mistake of the reference that the trace proves. */
export function mistakeOf(name: string, known: KnownTrace, { actions, differences }: Differing): string | null {
  let why: string | null = null
  for (const difference of differences) {
    const found = { ...known, difference, actions: actions.filter(({ type }) => type === typeOf(difference)) }
    const mistake = MISTAKES.find(
      ({ difference: pattern, traces, holds }) =>
        pattern.test(difference) && traces?.includes(name) !== false && holds(found),
    )
    if (mistake === undefined) return null
    why ??= mistake.why
  }
  return why
}

interface Differing {
  readonly actions: readonly ClassifiedAction[]
  readonly differences: readonly string[]
}
