// The API key of this tab when it has one; and whether calls of the page are refused for their number, or for the key.

import { signal } from '@preact/signals'

/** The reference pages keep it under the same name. */
export const KEY_NAME = 'tonrpc.key'

function readKey(): string | undefined {
  try {
    return sessionStorage.getItem(KEY_NAME) || undefined
  } catch {
    // Some private modes have no storage.
    return undefined
  }
}

export const apiKey = readKey()

/** Why calls were refused last; null while they are not. */
export const lastRefusal = signal<'slowed' | 'key' | null>(null)
