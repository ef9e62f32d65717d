import { useMemo } from 'preact/hooks'
import { foreignText, plainJson } from '../accountNames.ts'
import { bytes } from '../format/number.ts'
import { Copy } from '../parts/Copy.tsx'
import { Trouble } from '../parts/Empty.tsx'
import { JsonView } from '../parts/JsonView.tsx'
import type { ConsoleReply } from './calls.ts'
import { differences } from './difference.ts'
import { linkOf } from './links.ts'

interface ReplyProps {
  readonly reply: ConsoleReply
  /** The one before, to see what changed. */
  readonly before?: ConsoleReply | null
  readonly nextPage?: ((cursor: string) => void) | null
  readonly cost?: number
}

const cursorOf = (result: unknown): string | null =>
  typeof result === 'object' && result !== null && 'cursor' in result && typeof result.cursor === 'string'
    ? result.cursor
    : null

/** Most texts are ASCII: those are not encoded to be counted. */
const utf8Length = (text: string): number =>
  /[^\0-\x7f]/.test(text) ? new TextEncoder().encode(text).length : text.length

const MOST_CHANGES = 100
const LONGEST_VALUE = 120

/** What is other than in the reply before. */
function Changes({ before, after }: { readonly before: unknown; readonly after: unknown }) {
  const changes = differences(before, after, MOST_CHANGES)
  const count = `${changes.length}${changes.length === MOST_CHANGES ? ' or more' : ''}`
  return (
    <details class="changes">
      <summary>
        {count} {changes.length === 1 ? 'difference' : 'differences'} from the reply before
      </summary>
      <ul class="plain">
        {changes.map((change) => (
          <li key={change.path}>
            <code>{change.path === '' ? 'all of it' : foreignText(change.path, LONGEST_VALUE)}</code>{' '}
            {'before' in change && <del>{plainJson(change.before, LONGEST_VALUE)}</del>}{' '}
            {'after' in change && <ins>{plainJson(change.after, LONGEST_VALUE)}</ins>}
          </li>
        ))}
      </ul>
    </details>
  )
}

export function ReplyView({ reply, before = null, nextPage = null, cost }: ReplyProps) {
  const { result, error, ms, text } = reply
  // Megabytes of text, and thousands of elements: not again for each key that is pressed in the form above.
  const size = useMemo(() => bytes(utf8Length(text)), [text])
  const isSame = before !== null && before.call.method === reply.call.method && before.text === text
  const changes = useMemo(() => before && <Changes before={before.result} after={result} />, [before, result])
  const tree = useMemo(() => <JsonView value={result} open={3} linkOf={linkOf} paths />, [result])
  if (error !== undefined) return <Trouble error={error} />
  const cursor = cursorOf(result)
  return (
    <section class="reply" aria-label="Reply">
      <div class="bar">
        <span role="status">
          {ms} ms · {size}
          {cost !== undefined && cost !== 1 ? ` · cost ${cost}` : ''}
          {isSame ? ' · as before' : ''}
        </span>
        <Copy text={() => JSON.stringify(result, null, 2)} what="reply" label="Copy JSON" />
        {nextPage !== null && cursor !== null && (
          <button type="button" class="second small" onClick={() => nextPage(cursor)}>
            Next page
          </button>
        )}
      </div>
      {before?.error === undefined && !isSame && changes}
      {tree}
    </section>
  )
}
