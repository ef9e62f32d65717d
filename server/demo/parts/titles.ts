// The parts of the demo that a running service can play, in the order they are played, and what each shows. Apart from the
// parts themselves, so that a command line is read without loading them.

export const PART_TITLES = {
  wallets: 'transfers between wallets',
  jetton: 'two jettons',
  nft: 'a collection, sales and auctions',
  offers: 'offers that change and end',
  sbt: 'items that stay with their owners',
  multisig: 'a wallet of several signers',
  vesting: 'a wallet that unlocks TON step by step',
  subscription: 'a regular payment',
  clock: 'wages paid by the clock',
  staking: 'a pool of nominators',
  dns: 'domains and their auctions',
} as const
