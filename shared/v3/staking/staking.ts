// Methods for nominator pools and validators.

import { cycles } from './cycles.ts'
import { nominatorPools } from './nominatorPools.ts'
import { poolValidators } from './poolValidators.ts'
import { validators } from './validators.ts'

export const stakingGroups = [nominatorPools, poolValidators, validators, cycles] as const

export const stakingMethods = { ...nominatorPools, ...poolValidators, ...validators, ...cycles }
