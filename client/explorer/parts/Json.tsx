// A value as JSON whose objects and lists fold: long ones are closed at first, and only what is open is drawn.

import { useState } from 'preact/hooks'
import { href } from '../router.ts'

/** Entries of one object or list that are drawn at once. */
const MOST = 100
const LONGEST_TEXT = 2_000

const isBranch = (value: unknown): value is object => typeof value === 'object' && value !== null

const kindOf = (value: unknown): string => (typeof value === 'string' ? 'j-text' : 'j-value')

const shownText = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'undefined'
  return text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}… (${text.length} characters)` : text
}

/** The path of a page a value leads to; null for most. */
type LinkOf = (field: string, value: unknown) => string | null

interface NodeProps {
  readonly linkOf?: LinkOf | undefined
  readonly name: string | null
  readonly value: unknown
  readonly open: number
}

function Branch({ name, value, open, linkOf }: NodeProps & { readonly value: object }) {
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
              <JsonNode key={key} name={key} value={one} open={open - 1} linkOf={linkOf} />
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

function JsonNode({ name, value, open, linkOf }: NodeProps) {
  if (isBranch(value) && Object.keys(value).length > 0)
    return <Branch name={name} value={value} open={open} linkOf={linkOf} />
  const link = linkOf?.(name ?? '', value) ?? null
  return (
    <li>
      {name !== null && <span class="j-key">{name}: </span>}
      {link === null ? (
        <span class={kindOf(value)}>{shownText(value)}</span>
      ) : (
        <a class={kindOf(value)} href={href(link)}>
          {shownText(value)}
        </a>
      )}
    </li>
  )
}

interface JsonProps {
  readonly value: unknown
  /** Levels that are open at first. */
  readonly open?: number
  readonly linkOf?: LinkOf | undefined
}

export const Json = ({ value, open = 2, linkOf }: JsonProps) => (
  <ul class="json">
    <JsonNode name={null} value={value} open={open} linkOf={linkOf} />
  </ul>
)
