// All functions of lite servers, by their name without `liteServer.`.

import type { FunctionName } from '../../tl/index.ts'
import { accountFunctions } from './accountFunctions.ts'
import { blockFunctions } from './blockFunctions.ts'
import { serverFunctions } from './serverFunctions.ts'
import { stateFunctions } from './stateFunctions.ts'
import { transactionFunctions } from './transactionFunctions.ts'
import { trustFunctions } from './trustFunctions.ts'
import type { ServedFunction } from './verb.ts'

export const functions = {
  ...serverFunctions,
  ...blockFunctions,
  ...accountFunctions,
  ...transactionFunctions,
  ...stateFunctions,
  ...trustFunctions,
} satisfies { readonly [Name in FunctionName]: ServedFunction<Name> }
