// The theme a person has chosen in the explorer, for all pages of the service.

import type { IncomingMessage } from 'node:http'
import type { Theme } from '../../docs/index.ts'

const THEME = /(?:^|;\s*)theme=(light|dark)(?:;|$)/
const THEMES: readonly Theme[] = ['light', 'dark']

/** Null for that of the system. */
export function themeOf({ headers }: IncomingMessage): Theme | null {
  const [, chosen] = THEME.exec(headers.cookie ?? '') ?? []
  return THEMES.find((theme) => theme === chosen) ?? null
}
