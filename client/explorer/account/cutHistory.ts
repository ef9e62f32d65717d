// Whether a history begins before the index does, or in the network that the chain was forked off.

import type { Transaction } from '../../index.ts'
import { lazy } from '../lazyPage.tsx'
import type { LoadedPages } from '../parts/usePages.ts'

/** Whether the whole list is shown and the first transaction of the account is not in it. */
export const isCut = <R>(
  stamp: string,
  { count, older, parts }: LoadedPages<R>,
  hasFirst: (row: R) => boolean,
): boolean => count !== null && older === null && /[1-9]/.test(stamp) && !parts.flat().some(hasFirst)

export const isFirst = ({ prev_trans_lt }: Transaction): boolean => prev_trans_lt === '0'

export const Earlier = lazy(async () => (await import('./EarlierWords.tsx')).EarlierWords)
