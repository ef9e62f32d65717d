import type { Action } from '../../index.ts'

/** What an action brought an account, in nanotons. */
export const gainOf = ({ balance_changes: changes }: Action, raw: string): bigint => BigInt(changes?.[raw]?.ton ?? 0)
