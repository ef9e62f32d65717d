// Above the page when the service refuses its calls: why, and where an API key goes.

import { useState } from 'preact/hooks'
import { apiKey, lastRefusal, setKey } from './calling.ts'

const TEXTS = {
  slowed:
    'The service has slowed this page down: more calls came from your address than it allows. The page goes on by itself.',
  key: 'The service does not accept the API key of this tab.',
} as const

export function Refused() {
  const [key, setText] = useState('')
  const why = lastRefusal.value
  if (why === null) return null
  return (
    <section class="notice" aria-label="Limits">
      <p role="status">{TEXTS[why]}</p>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          setKey(key.trim())
        }}
      >
        <label for="api-key">API key</label>
        <input
          id="api-key"
          type="password"
          autocomplete="off"
          value={key}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <button type="submit" class="small" disabled={key.trim() === ''}>
          Use it in this tab
        </button>
        {apiKey !== undefined && (
          <button type="button" class="second small" onClick={() => setKey('')}>
            Go on without a key
          </button>
        )}
        <button
          type="button"
          class="second small"
          onClick={() => {
            lastRefusal.value = null
          }}
        >
          Hide
        </button>
      </form>
    </section>
  )
}
