// Where the rules do not agree with what is expected of the real traces, and what the chain says: by trace and type of
// action, the columns that differ. `none` is an action that is not made, `not_expected` one that is made.

export interface Disagreement {
  /** What is expected. */
  readonly expected: string
  /** What the trace itself says. */
  readonly chain: string
  readonly columns: Readonly<Record<string, string>>
}

const SIGNED_ORDER = {
  expected: 'bits of the address that excesses go to',
  chain: 'the order is in a reference behind that address',
}

export const DISAGREEMENTS: Readonly<Record<string, Disagreement>> = {
  'cocoon-02': { ...SIGNED_ORDER, columns: { cocoon_proxy_charge: 'expected_address new_tokens_used' } },
  'cocoon-05': { ...SIGNED_ORDER, columns: { cocoon_worker_payout: 'new_tokens' } },
  'coffee-07': {
    expected: 'a deployment by a log',
    chain: 'a log has no receiver; the message before it deployed the account, which both show',
    columns: { contract_deploy: 'none' },
  },
  'jvault-11': {
    expected: 'success',
    chain: 'the stake wallet ended with exit code 56, and the request bounced',
    columns: { jvault_unstake: 'success' },
  },
  'tgbtc-05': {
    expected: '2 x 10^24 units burnt',
    chain:
      '10000 were burnt; the log of the first teleport has a number of 32 bits, then 9853, what is left without the fee',
    columns: { tgbtc_burn_fallback: 'amount' },
  },
  'tonco-06': {
    expected: 'the owner itself as its jetton wallet',
    chain: 'nothing was taken on that side, and no wallet of it has a part in the trace',
    columns: { dex_withdraw_liquidity: 'user_jetton_wallet_2' },
  },
}
