// Hipo, which stakes for a jetton: its treasury, the parent of the jettons, their wallets, and bills for what waits for the
// end of a round. Source: HipoFinance/contract, contracts/schema.tlb.

import { body } from '../bodyDefinition.ts'

export const hipo = {
  depositCoins: body('_#3d3761a6 query_id:uint64 owner:MsgAddress coins:Coins'),
  // From the treasury to the parent, which passes each on to a wallet.
  proxyTokensMinted: body('_#5be57626 query_id:uint64 tokens:Coins coins:Coins owner:MsgAddress'),
  proxySaveCoins: body('_#47daa10f query_id:uint64 coins:Coins owner:MsgAddress'),
  proxyTokensBurned: body('_#4476fde0 query_id:uint64 tokens:Coins coins:Coins owner:MsgAddress'),
  proxyRollbackUnstake: body('_#32b67194 query_id:uint64 tokens:Coins owner:MsgAddress'),
  // From the parent to a wallet.
  tokensMinted: body('_#5445efee'),
  saveCoins: body('_#4cce0e74'),
  tokensBurned: body('_#5b512e25'),
  rollbackUnstake: body('_#1b77fd1a'),
  /** From the wallet to its owner, with the TON. */
  withdrawalNotification: body('_#f0fa223b'),
  // From the wallet by the parent to the treasury.
  proxyReserveTokens: body('_#688b0213'),
  reserveTokens: body('_#386a358b'),
  /** From the treasury to the collection of a round, which assigns the bill. */
  mintBill: body('_#4b2d7871 query_id:uint64 amount:Coins unstake:Bool owner:MsgAddress parent:MsgAddress'),
  assignBill: body('_#3275dfc2'),
  /** From the collection to a bill, which answers that it is burned. */
  burnBill: body('_#6f89f5e3'),
  billBurned: body('_#840f6369'),
  // From the collection to the treasury, for a bill that is burned.
  mintTokens: body('_#42684479'),
  burnTokens: body('_#7cffe1ee'),
} as const
