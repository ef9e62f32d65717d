// The API key of this tab when it has one; and whether calls of the page are refused for their number, or for the key.

import { signal } from '@preact/signals'

/** The reference pages keep it under the same name. */
const KEY_NAME = 'tonrpc.key'

function readKey(): string | undefined {
  try {
    return sessionStorage.getItem(KEY_NAME) || undefined
  } catch {
    // Some private modes have no storage.
    return undefined
  }
}

export const apiKey = readKey()

/** Uses another key, or none. Everything is read again with it. */
export function setKey(key: string): void {
  if (key === '') sessionStorage.removeItem(KEY_NAME)
  else sessionStorage.setItem(KEY_NAME, key)
  location.reload()
}

/** Why calls were refused last; null while they are not. */
export const lastRefusal = signal<'slowed' | 'key' | null>(null)
