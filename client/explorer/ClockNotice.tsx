// Above every page when the chain's clock is not this computer's: it explains failures that look like mistakes of a person.

import { chainLead } from './chainLead.ts'
import { boot } from './pageBoot.ts'
import { duration } from './parts/When.tsx'
import { href } from './router.ts'

export function ClockNotice() {
  const offset = chainLead()
  return (
    <div class="notice" role="status">
      <p>
        The chain's clock is {duration(Math.abs(offset))} {offset > 0 ? 'ahead of' : 'behind'} this computer. Wallet
        libraries sign with this computer's time, so their messages are refused as expired (exit code 36 or 136).{' '}
        {boot.control && <a href={href('/lab')}>Change the clock</a>}
      </p>
    </div>
  )
}
