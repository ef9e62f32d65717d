// Replies that are pages: their headers, and links that hold below any path.

import { type Theme, wayToRoot } from '../../docs/index.ts'
import type { HttpExchange, HttpReply } from '../exchange/exchange.ts'
import { themeOf } from './chosenTheme.ts'
import type { KeptReply } from './keptPages.ts'

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

export const htmlReply = (body: string) => ({
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

const inTheme = (body: string, theme: Theme | null): string =>
  theme === null ? body : body.replace(ROOT, `${ROOT} data-theme="${theme}"`)

function themedHtml(body: string) {
  const reply = htmlReply(body)
  return { ...reply, headers: [...reply.headers, 'Vary', 'Cookie'] }
}

/** A page of one path, in the theme of one caller. */
export const themedReply = (body: string, { req }: HttpExchange): HttpReply => themedHtml(inTheme(body, themeOf(req)))

/** A page that is the same for all callers but for where its links begin and its theme. */
export function sharedPage(name: string, body: string, { req, path }: HttpExchange): KeptReply {
  const theme = themeOf(req)
  const form = `${name} ${wayToRoot(path)} ${theme}`
  return { ...themedHtml(body), name: form, make: () => inTheme(linkedFrom(path, body), theme) }
}
