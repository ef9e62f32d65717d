// Methods for nominator pools and validators, gathered.

import type { stakingMethods } from '../../../../shared/v3/staking/staking.ts'
import type { Sql } from '../../../store/index.ts'
import type { Handlers } from '../../call.ts'
import type { SideObjects } from '../names/sideObjects.ts'
import { cycleHandlers } from './cycles.ts'
import { nominatorPoolHandlers } from './nominatorPools.ts'
import { poolValidatorHandlers } from './poolValidators.ts'
import { validatorHandlers } from './validators.ts'

export const stakingHandlers = (store: Sql, side: SideObjects): Handlers<typeof stakingMethods> => ({
  ...nominatorPoolHandlers(store, side),
  ...poolValidatorHandlers(store, side),
  ...validatorHandlers(store, side),
  ...cycleHandlers(store, side),
})
