// A sentence about an action for files, and for whatever else draws no links.

import type { Part } from './say.ts'
import type { SaidAction } from './sentence.ts'

/** Accounts and amounts are as the caller writes them. */
export const plainSentence = (
  { parts }: SaidAction,
  write: (part: Exclude<Part, string | { opcode: string; of: string | null }>) => string,
): string =>
  parts.map((part) => (typeof part === 'string' ? part : 'opcode' in part ? part.opcode : write(part))).join('')
