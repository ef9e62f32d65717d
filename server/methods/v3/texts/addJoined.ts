import type { TextBytes } from '../../../store/index.ts'
import { COMMA } from '../../view/jsonCodes.ts'
import { BETWEEN_RESTS } from './textInSlices.ts'

/** What `add` writes of each item, with commas between. Yields as `textInSlices` requires. */
export function* addJoined<T>(
  items: readonly T[],
  add: (item: T, to: TextBytes) => void,
  to: TextBytes,
): Generator<boolean> {
  let rested = to.at
  let isFirst = true
  for (const item of items) {
    if (!isFirst) to.byte(COMMA)
    isFirst = false
    add(item, to)
    if (to.at - rested < BETWEEN_RESTS) continue
    yield false
    rested = to.at
  }
}
