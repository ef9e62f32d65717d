// Which traces of an account are shown: those of some days, and those another account took part in.

import type { TimeBounds } from '../../../shared/explorer/queries.ts'
import { rawOf } from '../../../shared/explorer/views.ts'
import { namedAccounts } from '../names.ts'
import { place, setQuery } from '../router.ts'

const DAY = 86_400

/** First second of a day as the address of the page has it; null for none. */
function dayIn(name: 'from' | 'until'): number | null {
  const text = place.value.query.get(name) ?? ''
  const at = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) / 1000 : Number.NaN
  return at >= 0 ? at : null
}

export function chosenTimes(): TimeBounds {
  const [from, until] = [dayIn('from'), dayIn('until')]
  return {
    ...(from === null ? {} : { start_utime: from }),
    ...(until === null ? {} : { end_utime: until + DAY - 1 }),
  }
}

const partnerText = (): string => (place.value.query.get('with') ?? '').trim()

/** The other account, raw; null when none is chosen, or the text names none. */
export function chosenPartner(): string | null {
  const text = partnerText()
  return text === '' ? null : (namedAccounts().get(text.toLowerCase()) ?? rawOf(text))
}

const Day = ({ name, label }: { readonly name: 'from' | 'until'; readonly label: string }) => (
  <label>
    {label}{' '}
    <input
      type="date"
      class="inline"
      value={place.value.query.get(name) ?? ''}
      onChange={(event) => setQuery({ [name]: event.currentTarget.value || null })}
    />
  </label>
)

export function HistoryFilters() {
  const isNone = partnerText() !== '' && chosenPartner() === null
  return (
    <>
      <Day name="from" label="From" />
      <Day name="until" label="Until" />
      <label>
        With{' '}
        <input
          class="inline"
          value={place.value.query.get('with') ?? ''}
          placeholder="name or address"
          spellcheck={false}
          autocomplete="off"
          aria-invalid={isNone}
          onChange={(event) => setQuery({ with: event.currentTarget.value.trim() || null })}
        />
      </label>
      {isNone && <span class="hint wrong">No account has this name or address.</span>}
    </>
  )
}
