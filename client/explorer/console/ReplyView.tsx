import { bytes } from '../format/number.ts'
import { Copy } from '../parts/Copy.tsx'
import { Trouble } from '../parts/Empty.tsx'
import { Json } from '../parts/Json.tsx'
import type { Reply } from './calls.ts'
import { linkOf } from './links.ts'

interface ReplyProps {
  readonly reply: Reply
  /** The one before, to see what changed. */
  readonly before?: Reply | null
  readonly nextPage?: ((cursor: string) => void) | null
  readonly cost?: number
}

const cursorOf = (result: unknown): string | null =>
  typeof result === 'object' && result !== null && 'cursor' in result && typeof result.cursor === 'string'
    ? result.cursor
    : null

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
      <Json value={result} open={3} linkOf={linkOf} />
    </section>
  )
}
