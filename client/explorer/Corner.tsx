// What lies over every page, in a corner: why calls are refused, and short messages.

import { lastRefusal } from './calling.ts'
import { lazy } from './lazyPage.tsx'
import { Toasts } from './parts/Toast.tsx'

const Refused = lazy(async () => (await import('./Refused.tsx')).Refused)

export const Corner = () => (
  <>
    {lastRefusal.value !== null && <Refused />}
    <Toasts />
  </>
)
