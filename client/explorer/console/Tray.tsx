// Calls that are sent as one batch.

import { useRef, useState } from 'preact/hooks'
import { type ConsoleCall, type ConsoleReply, sendConsoleCall, tray } from './calls.ts'
import { ReplyView } from './ReplyView.tsx'

export function Tray() {
  const [replies, setReplies] = useState<readonly ConsoleReply[]>([])
  const [busy, setBusy] = useState(false)
  /** Whose replies are waited for; null after they were cleared away. */
  const sent = useRef<readonly ConsoleCall[] | null>(null)
  const calls = tray.value
  if (calls.length === 0 && replies.length === 0) return null
  const run = async (): Promise<void> => {
    if (busy) return
    setBusy(true)
    sent.current = calls
    // Calls of one moment leave as one request.
    const found = await Promise.all(calls.map(sendConsoleCall))
    setBusy(false)
    if (sent.current === calls) setReplies(found)
  }
  return (
    <section class="card tray" aria-labelledby="tray-title">
      <h2 id="tray-title">Batch of {calls.length}</h2>
      <ol>
        {calls.map(({ method, params }, at) => (
          <li key={at}>
            <code>{method}</code> <span class="quiet">{JSON.stringify(params).slice(0, 100)}</span>{' '}
            <button
              type="button"
              class="second small"
              aria-label={`Remove ${method} from the batch`}
              onClick={() => (tray.value = calls.filter((_, i) => i !== at))}
            >
              Remove
            </button>
          </li>
        ))}
      </ol>
      <div class="buttons">
        <button type="button" disabled={calls.length === 0} aria-disabled={busy} onClick={() => void run()}>
          {busy ? 'Sending…' : 'Send'}
        </button>
        <button
          type="button"
          class="second"
          onClick={() => {
            sent.current = null
            tray.value = []
            setReplies([])
            // The button goes with the batch.
            document.getElementById('main')?.focus({ preventScroll: true })
          }}
        >
          Clear
        </button>
      </div>
      {replies.map((reply, at) => (
        <details key={`${at} ${reply.call.method}`} open={reply.error !== undefined}>
          <summary>
            <code>{reply.call.method}</code>{' '}
            {reply.error === undefined ? <span class="badge good">ok</span> : <span class="badge bad">failed</span>}
          </summary>
          <ReplyView reply={reply} />
        </details>
      ))}
    </section>
  )
}
