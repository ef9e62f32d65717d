// A value as JSON whose objects and lists fold: long ones are closed at first, and only what is open is drawn.

import { useState } from 'preact/hooks'

/** Entries of one object or list that are drawn at once. */
const MOST = 100
const LONGEST_TEXT = 2_000

const isBranch = (value: unknown): value is object => typeof value === 'object' && value !== null

const kindOf = (value: unknown): string => (typeof value === 'string' ? 'j-text' : 'j-value')

const shownText = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'undefined'
  return text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}… (${text.length} characters)` : text
}

interface NodeProps {
  readonly name: string | null
  readonly value: unknown
  readonly open: number
}

function Branch({ name, value, open }: NodeProps & { readonly value: object }) {
  const [isOpen, setOpen] = useState(open > 0)
  const [most, setMost] = useState(MOST)
  const entries = Object.entries(value)
  const isList = Array.isArray(value)
  const size = `${entries.length} ${isList ? 'items' : 'fields'}`
  return (
    <li>
      <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          {name !== null && <span class="j-key">{name}</span>}{' '}
          <span class="quiet">{isList ? `[${size}]` : `{${size}}`}</span>
        </summary>
        {isOpen && (
          <ul>
            {entries.slice(0, most).map(([key, one]) => (
              <JsonNode key={key} name={key} value={one} open={open - 1} />
            ))}
            {entries.length > most && (
              <li>
                <button type="button" class="second small" onClick={() => setMost(most + MOST)}>
                  {entries.length - most} more
                </button>
              </li>
            )}
          </ul>
        )}
      </details>
    </li>
  )
}

function JsonNode({ name, value, open }: NodeProps) {
  if (isBranch(value) && Object.keys(value).length > 0) return <Branch name={name} value={value} open={open} />
  return (
    <li>
      {name !== null && <span class="j-key">{name}: </span>}
      <span class={kindOf(value)}>{shownText(value)}</span>
    </li>
  )
}

/** `open` levels are open at first. */
export const Json = ({ value, open = 2 }: { readonly value: unknown; readonly open?: number }) => (
  <ul class="json">
    <JsonNode name={null} value={value} open={open} />
  </ul>
)
