// EVAA, which lends. Each call to the contract of a user follows a header, since it may carry the next version of it.

import { body, part } from '../bodyDefinition.ts'

/** The version, a next one if there is, whether to take it; then the body. */
export const evaaHeader = part('_ version:Coins upgrade:(Maybe ^Cell) flags:uint2 operation:uint32')

export const evaa = {
  supply: body('_#00000001 query_id:uint64 flags:uint2 amount:uint64 recipient:MsgAddress'),
  /** The payload of a transfer of jettons. */
  jettonSupply: body('_#00000001 flags:uint2 recipient:MsgAddress'),
  supplyUser: body('_#00000011 query_id:uint64 asset_id:bits256 amount:uint64'),
  supplySuccess: body('_#0000011a'),
  supplyFail: body('_#0000011f'),
  supplyExcess: body('_#000011ae'),
  supplyExcessReport: body('_#00011ae1'),
  withdraw: body('_#00000002 query_id:uint64 asset_id:bits256 amount:uint64 recipient:MsgAddress'),
  withdrawUser: body('_#00000021'),
  /** The user may request the full amount; the contract returns how much that is. */
  withdrawCollateralized: body('_#00000211 query_id:uint64 owner:MsgAddress asset_id:bits256 amount:uint64'),
  withdrawSuccess: body('_#0000211a'),
  withdrawFail: body('_#0000211f'),
  liquidate: body(
    '_#00000003 query_id:uint64 borrower:MsgAddress liquidator:MsgAddress collateral_id:bits256 min_collateral:uint64 flags:uint2 debt:uint64 answer:^Cell prices:^Cell',
  ),
  /** Since version 9 the sender is the liquidator. */
  newerLiquidate: body(
    '_#00000003 query_id:uint64 borrower:MsgAddress collateral_id:bits256 min_collateral:uint64 flags:uint2 debt:uint64',
  ),
  /** The payload of a transfer of jettons. */
  jettonLiquidate: body('_#00000003 borrower:MsgAddress'),
  liquidateUser: body(
    '_#00000031 query_id:uint64 asset_config:(Maybe ^Cell) prices:(Maybe ^Cell) request:^[collateral_id:bits256 min_collateral:uint64 liquidator:MsgAddress debt_id:bits256 debt:uint64]',
  ),
  /** Of what came in, `liquidated` pays the debt; the protocol keeps the rest. */
  liquidateSatisfied: body(
    '_#00000311 query_id:uint64 owner:MsgAddress liquidator:MsgAddress answer:^[_:uint64 liquidated:uint64 _:uint64 _:uint64 _:bits256 _:uint64 reward:uint64]',
  ),
  liquidateUnsatisfied: body(
    '_#0000031f query_id:uint64 owner:MsgAddress liquidator:MsgAddress answer:^[_:uint64 _:bits256 _:uint64 _:uint64 reason:uint32]',
  ),
  liquidateSuccess: body('_#0000311a'),
  liquidateSuccessReport: body('_#0000311d'),
  liquidateReportToUser: body('_#000311d1'),
  liquidateFail: body('_#0000311f'),
} as const
