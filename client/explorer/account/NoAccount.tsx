// In place of an account: why its path names none, and what is nearest to it.

import { adviceOnAddress } from '../../../shared/addressAdvice.ts'
import { foreignText, namedAccounts } from '../accountNames.ts'
import type { PageProps } from '../lazyPage.tsx'
import { chainState } from '../live.ts'
import { Address } from '../parts/Address.tsx'
import { Empty } from '../parts/Empty.tsx'
import { href } from '../router.ts'
import { Nearest } from '../search/Nearest.tsx'

/** Domains: the search resolves them. */
const DOMAIN = /\.(?:ton|t\.me)$/i

export function NoAccount({ subject }: PageProps) {
  // Names of test accounts come with the state of the chain.
  void chainState.value
  const raw = namedAccounts().get(subject.toLowerCase())
  const advice = adviceOnAddress(subject)
  return (
    <Empty title={`“${foreignText(subject)}” is no address.`}>
      {raw === undefined ? (
        <p>
          {DOMAIN.test(subject) ? (
            <a href={href(`/search?q=${encodeURIComponent(subject)}`)}>What this name leads to</a>
          ) : (
            advice
          )}
        </p>
      ) : (
        <p>
          It is a name of <Address of={raw} full />.
        </p>
      )}
      {raw === undefined && <Nearest subject={subject} said={advice} />}
    </Empty>
  )
}
