// Made traces of which the reference says something else than the chain: by the columns that differ, and why.

interface Mistake {
  readonly why: string
  /** Beginnings of all differences of such a trace. */
  readonly columns: readonly RegExp[]
}

export const MISTAKES: readonly Mistake[] = [
  {
    why: 'the step that counts failed, and the reference looks at another one, or at none',
    columns: [
      /^(tgbtc_mint|tonco_deploy_pool|jvault_unstake|coffee_create_vault|coffee_create_pool_creator) success: false/,
      /^(stake_withdrawal|stake_deposit|cocoon_proxy_payout|layerzero_send|layerzero_commit_packet) success: false/,
      /^(nft_purchase|nft_transfer|unsubscribe|auction_outbid|cocoon_\w+|jetton_swap|dex_withdraw_liquidity) success: false/,
    ],
  },
  {
    why: 'a side of which nothing was taken is shown with the owner as its own jetton wallet',
    columns: [/^dex_withdraw_liquidity (user_jetton_wallet_[12]: null|success: false)/],
  },
]

/** Why a trace differs, where all its differences are one known mistake of the reference. */
export const mistakeOf = (differences: readonly string[]): string | null =>
  MISTAKES.find(({ columns }) => differences.every((one) => columns.some((column) => column.test(one))))?.why ?? null
