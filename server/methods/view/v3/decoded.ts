// What a message says beyond its bits: the one place that knows, for every answer a message stands in.

import type { MessageRow } from '../../../store/index.ts'

export interface Decoded {
  /** Name of its opcode. */
  readonly opcode: string | null
  /** Its body by the schema that fits. */
  readonly body: Record<string, unknown> | null
}

const UNKNOWN: Decoded = { opcode: null, body: null }

/** No schema is known yet: every body is one of an unknown kind. */
export const decodeBody = (_message: MessageRow): Decoded => UNKNOWN
