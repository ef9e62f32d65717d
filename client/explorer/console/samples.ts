// A call as lines to paste elsewhere.

import type { Method } from './methods.ts'

export interface Sample {
  readonly name: string
  readonly text: string
}

type Params = Readonly<Record<string, unknown>>

/** For a shell: nothing in single quotes has a meaning but the quote itself. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

function queryOf(params: Params): string {
  const pairs = Object.entries(params).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map(
      (one) => [name, typeof one === 'string' ? one : JSON.stringify(one)] as const,
    ),
  )
  const text = pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&')
  return text === '' ? '' : `?${text}`
}

const rpcBody = (method: Method, params: Params): string =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method: method.name, params })

function rest({ rest: route }: Method, params: Params, url: string): readonly Sample[] {
  if (route === null) return []
  const path = `${url}${route.path}`
  if (route.verb === 'GET') return [{ name: 'curl', text: `curl ${quoted(path + queryOf(params))}` }]
  const body = quoted(JSON.stringify(params))
  return [
    { name: 'curl', text: `curl -X ${route.verb} ${quoted(path)} -H 'content-type: application/json' -d ${body}` },
  ]
}

/** Pretty, as a person would write it into a program. */
const literal = (params: Params): string =>
  Object.keys(params).length === 0 ? '{}' : JSON.stringify(params, null, 2).replace(/^( *)"([A-Za-z_]\w*)":/gm, '$1$2:')

const python = (value: unknown): string =>
  JSON.stringify(value).replace(/"(?:[^"\\]|\\.)*"|\btrue\b|\bfalse\b|\bnull\b/g, (token) =>
    token.startsWith('"') ? token : ({ true: 'True', false: 'False', null: 'None' }[token] ?? token),
  )

/** `url` is that of the service, without a slash at its end. */
export function samplesOf(method: Method, params: Params, url: string): readonly Sample[] {
  const body = rpcBody(method, params)
  return [
    ...rest(method, params, url),
    {
      name: 'JSON-RPC',
      text: `curl ${quoted(`${url}/jsonRPC`)} -H 'content-type: application/json' -d ${quoted(body)}`,
    },
    {
      name: 'tonrpc/client',
      text: `import { createClient } from 'tonrpc/client'\n\nconst client = createClient({ url: '${url}' })\nconst result = await client.${method.name}(${literal(params)})`,
    },
    {
      name: 'fetch',
      text: `const reply = await fetch('${url}/jsonRPC', {\n  method: 'POST',\n  headers: { 'content-type': 'application/json' },\n  body: JSON.stringify(${JSON.stringify({ jsonrpc: '2.0', id: 1, method: method.name, params }, null, 2).replace(/\n/g, '\n  ')}),\n})\nconst { result } = await reply.json()`,
    },
    {
      name: 'Python',
      text: `import requests\n\nreply = requests.post("${url}/jsonRPC", json=${python(JSON.parse(body))})\nprint(reply.json()["result"])`,
    },
  ]
}
