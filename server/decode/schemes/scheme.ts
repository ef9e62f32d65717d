// How the body of one operation is shown.

import type { Slice } from '../../cell/index.ts'
import type { DecodedRecord, Within } from '../value.ts'

export interface Scheme {
  readonly name: string
  /** A looser form of the scheme before it, for bodies that do not fit that one. */
  readonly isLooser?: boolean
  /** Reads what follows the 32 bits of the operation. */
  readonly read: (slice: Slice, within: Within) => DecodedRecord
}
