// Over the page when the service refuses its calls: why, and where an API key goes.

import { useState } from 'preact/hooks'
import { apiKey, KEY_NAME, lastRefusal } from './calling.ts'
import { toast } from './parts/Toast.tsx'

const TEXTS = {
  slowed:
    'The service has slowed this page down: more calls came from your address than it allows. The page goes on by itself.',
  key: 'The service does not accept the API key of this tab.',
} as const

/** Uses another key, or none. Everything is read again with it. */
function setKey(key: string): void {
  try {
    if (key === '') sessionStorage.removeItem(KEY_NAME)
    else sessionStorage.setItem(KEY_NAME, key)
  } catch {
    toast('This browser lets pages keep nothing, and so no key. Allow it for this page, and try again.')
    return
  }
  location.reload()
}

export function Refused() {
  const [key, setText] = useState('')
  const why = lastRefusal.value
  if (why === null) return null
  return (
    <section class="notice limits" aria-label="Limits">
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
