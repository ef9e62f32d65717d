// Where the rules do not agree with what is expected of the real traces, and why: by trace and type of action, the columns
// that differ. `none` is an action that is not made, `not_expected` one that is made. The list may only become shorter.

export interface Disagreement {
  readonly why: string
  readonly columns: Readonly<Record<string, string>>
}

const SIGNED_ORDER =
  'expected are bits of the address that excesses go to; the order itself is in a reference behind them'

export const DISAGREEMENTS: Readonly<Record<string, Disagreement>> = {
  'cocoon-02': { why: SIGNED_ORDER, columns: { cocoon_proxy_charge: 'expected_address new_tokens_used' } },
  'cocoon-05': { why: SIGNED_ORDER, columns: { cocoon_worker_payout: 'new_tokens' } },
  'coffee-07': {
    why: 'expected is a deployment by a log, which has no receiver and deploys nothing',
    columns: { contract_deploy: 'none' },
  },
  'jvault-11': {
    why: 'expected is success; the stake wallet ended with exit code 56, and the request bounced',
    columns: { jvault_unstake: 'success' },
  },
  'tonco-06': {
    why: 'expected is the owner itself as its jetton wallet, on the side of which nothing was taken',
    columns: { dex_withdraw_liquidity: 'user_jetton_wallet_2' },
  },
}
