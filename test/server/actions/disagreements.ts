// Where the rules do not agree with what is expected of the real traces, and what the chain says: by trace and type of
// action, the columns that differ. `none` is an action that is not made, `not_expected` one that is made.

import { type ClassifiedAction, classifyTrace } from '../../../server/actions/index.ts'
import { readOrder } from '../../../server/actions/rules/cocoon/messages.ts'
import { cocoon, jvault, tgbtc } from '../../../server/bodies/index.ts'
import { readBoc } from '../../../server/cell/index.ts'
import type { KnownTrace } from '../../../server/cli/classify/knownTrace.ts'
import { jettonAmountOf } from './moved.ts'

const ORDERS: readonly number[] = [cocoon.charge, cocoon.workerPayout, cocoon.workerLastPayout].map(
  ({ opcode }) => opcode,
)

export interface Disagreement {
  /** What is expected. */
  readonly expected: string
  /** What the trace itself says. */
  readonly chain: string
  /** Whether it says so. */
  readonly holds: (known: KnownTrace, ours: ClassifiedAction | undefined) => boolean
  /** The columns that differ, by trace and type of action. */
  readonly traces: Readonly<Record<string, Readonly<Record<string, string>>>>
}

/** By name. */
export const DISAGREEMENTS: Readonly<Record<string, Disagreement>> = {
  'a signed order': {
    expected: 'bits of the address that excesses go to',
    chain: 'the order is in a reference behind that address',
    /** It is read at the right place where it names the very contract that took it. */
    holds: ({ trace }) =>
      trace.transactions.some(({ account, inMessage }) => {
        if (inMessage === null || !ORDERS.includes(inMessage.opcode ?? 0)) return false
        const [order] = readBoc(inMessage.body).refs
        return order !== undefined && readOrder({ order }).expected === account
      }),
    traces: {
      'cocoon-02': { cocoon_proxy_charge: 'expected_address new_tokens_used' },
      'cocoon-05': { cocoon_worker_payout: 'new_tokens' },
    },
  },
  'a deployment by a log': {
    expected: 'a deployment by a log',
    chain: 'a log has no receiver; the message before it deployed the account, which both show',
    holds: ({ trace, facts }) => {
      const begun = trace.transactions.filter(
        ({ origStatus, endStatus }) => origStatus !== 'active' && endStatus === 'active',
      )
      const deployments = classifyTrace(trace, facts).actions.filter(({ type }) => type === 'contract_deploy')
      return deployments.length > 0 && deployments.length === begun.length
    },
    traces: { 'coffee-07': { contract_deploy: 'none' } },
  },
  'a request that bounced': {
    expected: 'success',
    chain: 'the stake wallet ended with exit code 56, and the request bounced',
    holds: ({ trace }) =>
      trace.transactions.some(
        ({ aborted, exitCode, inMessage }) =>
          aborted && exitCode === 56 && inMessage?.opcode === jvault.unstake.opcode && inMessage.bounce,
      ),
    traces: { 'jvault-11': { jvault_unstake: 'success' } },
  },
  'the log of a teleport': {
    expected: '2 x 10^24 units burnt',
    chain:
      '10000 were burnt; the log of the first teleport has a number of 32 bits, then 9853, what is left without the fee',
    holds: ({ trace }, ours) => {
      const burnt = trace.transactions.flatMap(({ inMessage }) =>
        inMessage?.opcode === tgbtc.burnt.opcode ? [jettonAmountOf(inMessage.body)] : [],
      )
      return burnt.length === 1 && burnt[0] === 10_000n && ours?.details.amount === '9853'
    },
    traces: { 'tgbtc-05': { tgbtc_burn_fallback: 'amount' } },
  },
  'a side of which nothing was taken': {
    expected: 'the owner itself as its jetton wallet',
    chain: 'nothing was taken on that side, and no wallet of it has a part in the trace',
    holds: ({ facts }, ours) =>
      ours?.details.amount_2 === '0' && facts.get(String(ours.details.source))?.jettonWallet === undefined,
    traces: { 'tonco-06': { dex_withdraw_liquidity: 'user_jetton_wallet_2' } },
  },
}

/** The columns of a trace that are known to differ, by type of action; none for most traces. */
export const disagreeingColumns = (name: string): Readonly<Record<string, string>> =>
  Object.values(DISAGREEMENTS).find(({ traces }) => name in traces)?.traces[name] ?? {}
