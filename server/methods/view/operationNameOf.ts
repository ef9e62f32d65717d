// What an operation is called where its message is known.

import { LEAST_OF_ITS_OWN } from '../../../shared/explorer/operationName.ts'
import { everyday } from '../../bodies/index.ts'
import { isCommon, knownOperationName } from '../../decode/index.ts'

const NEW_BOUNCE = everyday.newBounce.opcode

/** The name for a message. One that did not come back is no bounce, even when it begins with the bits of one. */
export function operationNameOf(operation: number, isBounced: boolean): string | null {
  if (operation < LEAST_OF_ITS_OWN && !isCommon(operation)) return null
  return operation === NEW_BOUNCE && !isBounced ? null : knownOperationName(operation)
}
