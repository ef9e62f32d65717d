import { ApiError } from '../../../../shared/errors.ts'
import { toDigits } from '../../../../shared/primitives.ts'
import type { poolValidatorsV3 } from '../../../../shared/v3/staking/poolValidators.ts'
import { poolValidatorEventsRead, readPage, type Sql } from '../../../store/index.ts'
import type { Handlers } from '../../call.ts'
import { openPage } from '../../paging.ts'
import { toPoolValidatorEvent, toPoolValidatorReward } from '../../view/v3/staking/pools.ts'
import type { SideObjects } from '../names/sideObjects.ts'
import { given, listEnd, windowEcho, windowFrom } from './lists.ts'

const NEITHER = 'validator or pool parameter is required'

export const poolValidatorHandlers = (store: Sql, side: SideObjects): Handlers<typeof poolValidatorsV3> => ({
  async 'v3.staking.nominatorPools.validatorEvents'(params, call) {
    const { pool, validator, type } = params
    if (pool === undefined && validator === undefined)
      throw new ApiError('invalidParams', NEITHER, { param: 'validator' })
    const window = windowFrom(params)
    const { ask, cursor } = openPage('v3.staking.nominatorPools.validatorEvents', { offset: 0, ...params })
    const { rows, next } = await readPage(store, poolValidatorEventsRead({ pool, validator, type, window }, ask), call)
    const named = [...given(pool, validator), ...rows.flatMap((row) => [row.pool, row.validator])]
    return {
      ...windowEcho(params),
      events: rows.map(toPoolValidatorEvent),
      ...(await listEnd({ store, side, call }, named, cursor(next))),
    }
  },

  async 'v3.staking.nominatorPools.validatorRewards'(params, call) {
    const { pool, validator } = params
    const window = windowFrom(params)
    const { ask, cursor } = openPage('v3.staking.nominatorPools.validatorRewards', { offset: 0, ...params })
    const filter = { pool, validator, window, type: 'reward' } as const
    const { rows, next } = await readPage(store, poolValidatorEventsRead(filter, ask), call)
    return {
      ...windowEcho(params),
      total_on_page: toDigits(rows.reduce((sum, row) => sum + row.balanceAfter - row.balanceBefore, 0n)),
      rewards: rows.map(toPoolValidatorReward),
      ...(await listEnd({ store, side, call }, [validator, pool], cursor(next))),
    }
  },
})
