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

const MOST_CHANGES = 100
const LONGEST_VALUE = 120

const shortOf = (value: unknown): string => {
  const text = JSON.stringify(value) ?? ''
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text
}

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
            <code>{change.path === '' ? 'all of it' : change.path}</code>{' '}
            {'before' in change && <del>{shortOf(change.before)}</del>}{' '}
            {'after' in change && <ins>{shortOf(change.after)}</ins>}
          </li>
        ))}
      </ul>
    </details>
  )
}

export function ReplyView({ reply, before = null, nextPage = null, cost }: ReplyProps) {
  const { result, error, ms } = reply
  if (error !== undefined) return <Trouble error={error} />
  const text = JSON.stringify(result, null, 2) ?? 'null'
  const cursor = cursorOf(result)
  const isSame =
    before !== null &&
    before.call.method === reply.call.method &&
    JSON.stringify(before.result) === JSON.stringify(result)
  return (
    <section class="reply" aria-label="Reply">
      <div class="bar">
        <span role="status">
          {ms} ms · {bytes(new TextEncoder().encode(text).length)}
          {cost !== undefined && cost !== 1 ? ` · cost ${cost}` : ''}
          {isSame ? ' · as before' : ''}
        </span>
        <Copy text={text} what="reply" label="Copy JSON" />
        {nextPage !== null && cursor !== null && (
          <button type="button" class="second small" onClick={() => nextPage(cursor)}>
            Next page
          </button>
        )}
      </div>
      {before !== null && before.error === undefined && !isSame && <Changes before={before.result} after={result} />}
      <JsonView value={result} open={3} linkOf={linkOf} paths />
    </section>
  )
}
