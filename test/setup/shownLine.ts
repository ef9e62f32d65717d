// Lines of the explorer's first page, run as they are shown.

import { CONNECTIONS } from '../../client/explorer/home/connectionLines.ts'

/** The value of a line, for a service; `known` are the names it uses. */
export function shownLine(name: string, url: string, known: Readonly<Record<string, unknown>>): unknown {
  const text = CONNECTIONS.find((one) => one.name === name)?.text(url)
  if (text === undefined) throw new Error(`no line for ${name}`)
  return new Function(...Object.keys(known), `return ${text}`)(...Object.values(known))
}
