// Notices above every page: that the service has another chain, or that the clock of the chain is off.

import { clockWords } from '../../shared/explorer/clockWords.ts'
import { keepText, keptOr } from './keptText.ts'
import { chainState, OTHER_CHAIN } from './live.ts'
import { boot } from './pageBoot.ts'
import { href, place } from './router.ts'
import { clockLead } from './serviceClock.ts'

/** The path that was loaded again because the chain is another one; null for a page that was not. */
const reloaded = keptOr(OTHER_CHAIN, false) ? place.peek().path : null
keepText(OTHER_CHAIN, null)

export function Notices() {
  const words = clockWords((chainState.value?.clock_offset ?? 0) + clockLead())
  return (
    <>
      {reloaded === place.value.path && (
        <div class="notice" role="status">
          <p>
            The service has another chain now: blocks, transactions and accounts of the one before are gone.{' '}
            <a href={href('/')}>Newest activity</a>
          </p>
        </div>
      )}
      {words !== null && (
        <div class="notice" role="status">
          <p>
            {words} {boot.control && <a href={href('/lab')}>Change the clock</a>}
          </p>
        </div>
      )}
    </>
  )
}
