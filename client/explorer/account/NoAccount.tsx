// In place of an account: why its path names none, and what is nearest to it.

import { adviceOnAddress } from '../../../shared/addressAdvice.ts'
import { foreignText } from '../accountNames.ts'
import type { PageProps } from '../lazyPage.tsx'
import { Empty } from '../parts/Empty.tsx'
import { Nearest } from '../search/Nearest.tsx'

export const NoAccount = ({ subject }: PageProps) => (
  <Empty title={`“${foreignText(subject)}” is no address.`}>
    <p>{adviceOnAddress(subject)}</p>
    <Nearest subject={subject} said={adviceOnAddress(subject)} />
  </Empty>
)
