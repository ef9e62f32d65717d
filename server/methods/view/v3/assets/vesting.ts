// Vesting wallets as v3 writes them.

import { toDigits } from '../../../../../shared/primitives.ts'
import type { Result } from '../../../../../shared/registry.ts'
import type { vestingV3 } from '../../../../../shared/v3/assets/vesting.ts'
import type { VestingRow } from '../../../../store/index.ts'
import { rawOfKey } from '../../../keyOfAccount.ts'

export const toVesting = (row: VestingRow): Result<(typeof vestingV3)['v3.vesting']>['vesting_contracts'][number] => ({
  address: rawOfKey(row.account),
  start_time: Number(row.startTime),
  total_duration: Number(row.totalDuration),
  unlock_period: Number(row.unlockPeriod),
  cliff_duration: Number(row.cliffDuration),
  sender_address: rawOfKey(row.sender),
  owner_address: rawOfKey(row.owner),
  total_amount: toDigits(row.totalAmount),
  whitelist: row.whitelist.map(rawOfKey).sort(),
})
