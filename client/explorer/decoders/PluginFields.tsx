// A body of a message, or the data of an account, as the operator's decoder reads it.

import { useEffect, useState } from 'preact/hooks'
import { linkOf } from '../console/links.ts'
import { JsonView } from '../parts/JsonView.tsx'
import type { PluginOutcome } from './plugin.ts'
import type { DecoderCall } from './pluginCalls.ts'
import { decoderFor } from './stored.ts'

/** The script that holds the worker is there already: it began with the page. */
const decode = async (call: Omit<DecoderCall, 'id'>): Promise<PluginOutcome> =>
  (await import('./plugin.ts')).decodeByPlugin(call)

export interface PluginFieldsProps extends Pick<DecoderCall, 'what' | 'boc' | 'way'> {
  readonly code: string | null
  readonly interfaces: readonly string[]
  /** Tells it from others on the page. */
  readonly of?: string
}

export function PluginFields({ code, interfaces, what, boc, way, of = '' }: PluginFieldsProps) {
  const [outcome, setOutcome] = useState<PluginOutcome | null>(null)
  const decoder = decoderFor(code, interfaces)
  const at = decoder?.facts.reads.includes(what) ? decoder.at : null
  useEffect(() => {
    let isWanted = true
    setOutcome(null)
    if (at !== null)
      void decode({ decoder: at, what, boc, way }).then((found) => {
        if (isWanted) setOutcome(found)
      })
    return () => {
      isWanted = false
    }
  }, [at, what, boc, way])
  if (decoder === null || outcome === null) return null
  const { name } = decoder.facts
  if (outcome.error !== null)
    return (
      <p class="quiet">
        The decoder {name} failed: {outcome.error}.
      </p>
    )
  return (
    outcome.found && (
      <section aria-label={`By ${name}`}>
        <p>
          <strong>{outcome.found.type}</strong> <span class="quiet">by {name}</span>
        </p>
        <JsonView value={outcome.found.fields} open={3} linkOf={linkOf} of={`${name} ${of}`} />
      </section>
    )
  )
}
