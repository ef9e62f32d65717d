// The emulation interface over REST: as v3, but a malformed request has status 400 and words clients match on.

import { malformedKinds } from '../../../shared/errors.ts'
import { type Dialect, soleText } from './dialect.ts'
import { plain } from './plain.ts'

export const emulationDialect: Dialect = {
  around: plain.around,

  failure(error, envelope) {
    if (!malformedKinds.includes(error.kind)) return plain.failure(error, envelope)
    return { status: 400, text: JSON.stringify({ error: `invalid request: ${soleText(error)}` }) }
  },
}
