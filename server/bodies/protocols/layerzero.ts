// LayerZero, which carries messages to other chains. Objects lie behind a head of their own in each cell; the other parts
// are what is inline behind it, as far as it is at the same place in every version.

import { body, part } from '../bodyDefinition.ts'

export const layerzero = {
  event: body('_#e33b9873'),
  endpointSend: body('_#dd4ea3b4'),
  channelSend: body('_#536feb09'),
  librarySend: body('_#4002b790'),
  ulnSend: body('_#5de68393'),
  sendCallback: body('_#421c1a25'),
  receipt: body('_#a2b5fbae'),
  prepare: body('_#22f3ac09'),
  execute: body('_#97df404c'),
  executeCallback: body('_#b7680bc6'),
  locked: body('_#0c7b8418'),
  received: body('_#caae25a1'),
  ulnCommit: body('_#28b97077 query_id:uint64 donation:Coins request:^Cell'),
  connectionCommit: body('_#f9d37b80'),
  endpointCommit: body('_#5dab749a'),
  channelCommit: body('_#5388cd88'),
  commitCallback: body('_#5e178f33'),
  dvnVerify: body('_#a0d51a8d'),
  proxyCall: body('_#09f047d9'),
  ulnVerify: body('_#994aaf4e'),
  connectionVerify: body('_#4ec8f80a'),
  verifyCallback: body('_#3cb38090'),
} as const

/** The head: a name, and positions of up to fifteen fields, 18 bits each. */
export const layerzeroObject = part('_ name:uint80 positions:uint270 fields:Any')
export const layerzeroPacket = part('_ nonce:uint64 guid:uint256 path:^Cell')
export const layerzeroPath = part('_ src_eid:uint32 src_oapp:uint256 dst_eid:uint32 dst_oapp:uint256')
/** Options come before what did not fit. */
export const layerzeroRequest = part(
  '_ id:uint64 manager:uint256 library:uint256 packet:^Cell options:^Cell more:^[_:uint256 native_fee:uint128 zro_fee:uint128]',
)
export const layerzeroCommitRequest = part('_ uln:bits256 packet:^Cell')
export const layerzeroStatus = part('_ nonce:uint64 status:uint32')
