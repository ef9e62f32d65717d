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
  readonly columns: Readonly<Record<string, string>>
}

const SIGNED_ORDER = {
  expected: 'bits of the address that excesses go to',
  chain: 'the order is in a reference behind that address',
  /** It is read at the right place where it names the very contract that took it. */
  holds: ({ trace }: KnownTrace) =>
    trace.transactions.some(({ account, inMessage }) => {
      if (inMessage === null || !ORDERS.includes(inMessage.opcode ?? 0)) return false
      const [order] = readBoc(inMessage.body).refs
      return order !== undefined && readOrder({ order }).expected === account
    }),
}

export const DISAGREEMENTS: Readonly<Record<string, Disagreement>> = {
  'cocoon-02': { ...SIGNED_ORDER, columns: { cocoon_proxy_charge: 'expected_address new_tokens_used' } },
  'cocoon-05': { ...SIGNED_ORDER, columns: { cocoon_worker_payout: 'new_tokens' } },
  'coffee-07': {
    expected: 'a deployment by a log',
    chain: 'a log has no receiver; the message before it deployed the account, which both show',
    holds: ({ trace, facts }) => {
      const begun = trace.transactions.filter(
        ({ origStatus, endStatus }) => origStatus !== 'active' && endStatus === 'active',
      )
      const deployments = classifyTrace(trace, facts).actions.filter(({ type }) => type === 'contract_deploy')
      return deployments.length > 0 && deployments.length === begun.length
    },
    columns: { contract_deploy: 'none' },
  },
  'jvault-11': {
    expected: 'success',
    chain: 'the stake wallet ended with exit code 56, and the request bounced',
    holds: ({ trace }) =>
      trace.transactions.some(
        ({ aborted, exitCode, inMessage }) =>
          aborted && exitCode === 56 && inMessage?.opcode === jvault.unstake.opcode && inMessage.bounce,
      ),
    columns: { jvault_unstake: 'success' },
  },
  'tgbtc-05': {
    expected: '2 x 10^24 units burnt',
    chain:
      '10000 were burnt; the log of the first teleport has a number of 32 bits, then 9853, what is left without the fee',
    holds: ({ trace }, ours) => {
      const burnt = trace.transactions.flatMap(({ inMessage }) =>
        inMessage?.opcode === tgbtc.burnt.opcode ? [jettonAmountOf(inMessage.body)] : [],
      )
      return burnt.length === 1 && burnt[0] === 10_000n && ours?.details.amount === '9853'
    },
    columns: { tgbtc_burn_fallback: 'amount' },
  },
  'tonco-06': {
    expected: 'the owner itself as its jetton wallet',
    chain: 'nothing was taken on that side, and no wallet of it has a part in the trace',
    holds: ({ facts }, ours) =>
      ours?.details.amount_2 === '0' && facts.get(String(ours.details.source))?.jettonWallet === undefined,
    columns: { dex_withdraw_liquidity: 'user_jetton_wallet_2' },
  },
}
