// Above every page when the chain's clock is not this computer's: it explains failures that look like mistakes of a person.

import { clockWords } from '../../shared/explorer/clockWords.ts'
import { chainState } from './live.ts'
import { boot } from './pageBoot.ts'
import { href } from './router.ts'
import { clockLead } from './serviceClock.ts'

export function ClockNotice() {
  const words = clockWords((chainState.value?.clock_offset ?? 0) + clockLead())
  if (words === null) return null
  return (
    <div class="notice" role="status">
      <p>
        {words} {boot.control && <a href={href('/lab')}>Change the clock</a>}
      </p>
    </div>
  )
}
