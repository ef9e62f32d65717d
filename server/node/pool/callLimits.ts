// For how long an answer of a server is waited for, and how often its newest block is queried.

import type { VerbCall } from './verbs.ts'

/** For one answer, without a wait for a block. */
export const ANSWER_MS = 5_000
const LARGE_ANSWER_MS = 10_000

const isSlow = ({ kind }: VerbCall): boolean => kind === 'large' || kind === 'run'

/** `isWaiting`: whether the server answers only when it has a block that is to come. */
export function callLimit(call: VerbCall, headSeqno: number): { readonly ms: number; readonly isWaiting: boolean } {
  const { timeoutMs, waitSeqno = 0 } = call.options
  const usual = isSlow(call) ? LARGE_ANSWER_MS : ANSWER_MS
  const isWaiting = waitSeqno > headSeqno
  const ms = isWaiting ? (timeoutMs ?? LARGE_ANSWER_MS + usual) : Math.min(timeoutMs ?? usual, usual)
  return { ms, isWaiting }
}

/** Queries for the newest block take at most a half of the calls a server may get: the other half proves and reads it. */
export const headRoundMs = (perSecond: number): number => (perSecond === 0 ? 0 : 2_000 / perSecond)
