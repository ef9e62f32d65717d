// Replies that are pages: their headers, and links that hold below any path.

import { wayToRoot } from '../docs/index.ts'
import { themeOf } from './chosenTheme.ts'
import type { HttpExchange, HttpReply } from './exchange.ts'

export const CONTENT_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

export const htmlReply = (body: string): HttpReply => ({
  status: 200,
  type: 'text/html; charset=utf-8',
  body,
  headers: ['Content-Security-Policy', CONTENT_POLICY, 'Referrer-Policy', 'no-referrer'],
})

export const jsonReply = (status: number, value: unknown): HttpReply => ({
  status,
  type: 'application/json',
  body: JSON.stringify(value),
  headers: ['Cache-Control', 'no-store'],
})

/** Links from the root as links from a path: a proxy may have the service below a prefix. */
export const linkedFrom = (path: string, body: string): string =>
  body.replaceAll(/ (href|src|action)="\/(?!\/)/g, ` $1="${wayToRoot(path)}`)

const ROOT = '<html lang="en"'

/** A page that is the same for all callers, in the theme of one. */
export function themedReply(body: string, { req }: HttpExchange): HttpReply {
  const theme = themeOf(req)
  const reply = htmlReply(theme === null ? body : body.replace(ROOT, `${ROOT} data-theme="${theme}"`))
  return { ...reply, headers: [...(reply.headers ?? []), 'Vary', 'Cookie'] }
}

/** Pages of the reference and the guides, linked once for each path. */
export class LinkedPages {
  readonly #linked = new Map<string, { readonly from: string; readonly to: string }>()

  page(text: string, exchange: HttpExchange): HttpReply {
    const { path } = exchange
    const known = this.#linked.get(path)
    if (known?.from === text) return themedReply(known.to, exchange)
    const to = linkedFrom(path, text)
    this.#linked.set(path, { from: text, to })
    return themedReply(to, exchange)
  }
}
