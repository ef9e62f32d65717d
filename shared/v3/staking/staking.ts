// Methods for nominator pools and validators.

import { cyclesV3 } from './cycles.ts'
import { nominatorPoolsV3 } from './nominatorPools.ts'
import { poolValidatorsV3 } from './poolValidators.ts'
import { validatorsV3 } from './validators.ts'

export const stakingGroups = [nominatorPoolsV3, poolValidatorsV3, validatorsV3, cyclesV3] as const

export const stakingMethods = { ...nominatorPoolsV3, ...poolValidatorsV3, ...validatorsV3, ...cyclesV3 }
