// Cocoon: workers who compute, clients who pay for it, proxies between.

import { body, part } from '../bodyDefinition.ts'

export const cocoon = {
  clientRequest: body('_#65448ff4'),
  payout: body('_#c59a7cd3'),
  excesses: body('_#2565934c'),
  workerPayout: body('_#a040ad28 order:^Cell'),
  workerLastPayout: body('_#f5f26a36 order:^Cell'),
  workerRequest: body('_#4d725d2c query_id:uint64 owner:MsgAddress state:uint2 tokens:uint64'),
  proxyPayout: body('_#7610e6eb query_id:uint64'),
  charge: body('_#bb63ff93 order:^Cell'),
  grantRefund: body('_#efd711e1 order:^Cell'),
  viaWallet: body('_#9c69f376'),
  clientTopUp: body('_#f172e6c2 query_id:uint64 amount:Coins'),
  registerProxy: body('_#927c7cb5 query_id:uint64'),
  unregisterProxy: body('_#6d49eaf2 query_id:uint64 seqno:uint32'),
  clientRegister: body('_#c45f9f3b query_id:uint64 nonce:uint64'),
  clientChangeSecretHash: body('_#a9357034 query_id:uint64 secret_hash:bits256'),
  clientRequestRefund: body('_#fafa6cc1 query_id:uint64'),
  clientIncreaseStake: body('_#6a1f6a60 query_id:uint64 stake:Coins'),
  clientWithdraw: body('_#da068e78 query_id:uint64'),
} as const

/** A signed order: the message brings it in a reference, behind the receiver of excesses. */
export const cocoonOrder = part('_ operation:uint32 query_id:uint64 tokens:uint64 expected:MsgAddress')
