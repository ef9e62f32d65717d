// A value as JSON whose objects and lists fold: long ones are closed at first, and only what is open is drawn.

import { counted } from '../../../shared/explorer/counted.ts'
import { foreignText, plainJson } from '../accountNames.ts'
import { href } from '../router.ts'
import { copyText } from './Copy.tsx'
import { pathInside } from './jsonPath.ts'
import { useFolded } from './useFolded.ts'
import { useStepState } from './useStepState.ts'

/** Entries of one object or list that are drawn at once. */
const MOST = 100
/** Items of a long list that are open at first. */
const MOST_OPEN = 20
const LONGEST_TEXT = 2_000

const isBranch = (value: unknown): value is object => typeof value === 'object' && value !== null

const kindOf = (value: unknown): string => (typeof value === 'string' ? 'j-text' : 'j-value')

const LONGEST_KEY = 200

/** Keys may be by strangers, too. */
const shownKey = (name: string): string => plainJson(name, LONGEST_KEY).replace(/^"|"$/g, '')

/** The path of a page a value leads to; null for most. */
type LinkOf = (field: string, value: unknown) => string | null

/** Copies where a value is, as a program would write it. */
const PathKey = ({ name, path }: { readonly name: string; readonly path: string }) => (
  <button
    type="button"
    class="j-key"
    title={`Copy the path ${foreignText(path, LONGEST_KEY)}`}
    onClick={() => void copyText(path, 'path')}
  >
    {shownKey(name)}
  </button>
)

interface NodeProps {
  /** Where the value is; absent where paths are not copied. */
  readonly path?: string | undefined
  /** The names that lead to the value, and that of the whole, which is its own on the page. */
  readonly at: string
  readonly linkOf?: LinkOf | undefined
  readonly name: string | null
  readonly value: unknown
  readonly open: number
}

function Branch({ name, value, open, linkOf, path, at: place }: NodeProps & { readonly value: object }) {
  const [isOpen, fold] = useFolded(place, open > 0)
  const [most, setMost] = useStepState(`more ${place}`, MOST)
  const entries = Object.entries(value)
  const isList = Array.isArray(value)
  const size = counted(entries.length, isList ? 'item' : 'field')
  return (
    <li>
      <details {...fold}>
        <summary>
          {name !== null && <span class="j-key">{shownKey(name)}</span>}{' '}
          <span class="quiet">{isList ? `[${size}]` : `{${size}}`}</span>
        </summary>
        {isOpen && (
          <ul>
            {entries.slice(0, most).map(([key, one], at) => (
              <JsonNode
                key={key}
                name={key}
                value={one}
                open={isList && at >= MOST_OPEN ? 0 : open - 1}
                linkOf={linkOf}
                path={path === undefined ? undefined : pathInside(path, key, isList)}
                at={`${place} ${key}`}
              />
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

function JsonNode({ name, value, open, linkOf, path, at }: NodeProps) {
  if (isBranch(value) && Object.keys(value).length > 0)
    return <Branch name={name} value={value} open={open} linkOf={linkOf} path={path} at={at} />
  const link = linkOf?.(name ?? '', value) ?? null
  return (
    <li>
      {name !== null && path !== undefined && (
        <>
          <PathKey name={name} path={path} />:{' '}
        </>
      )}
      {name !== null && path === undefined && <span class="j-key">{shownKey(name)}: </span>}
      {link === null ? (
        <span class={kindOf(value)}>{plainJson(value, LONGEST_TEXT)}</span>
      ) : (
        <a class={kindOf(value)} href={href(link)}>
          {plainJson(value, LONGEST_TEXT)}
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
  /** Names of fields copy their paths. */
  readonly paths?: boolean
  /** Tells it from others on the page. */
  readonly of?: string
}

export const JsonView = ({ value, open = 2, linkOf, paths = false, of = '' }: JsonProps) => (
  <ul class="json">
    <JsonNode name={null} value={value} open={open} linkOf={linkOf} path={paths ? '' : undefined} at={`json ${of}`} />
  </ul>
)
