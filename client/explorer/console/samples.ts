// A call as lines to paste elsewhere.

import type { DescribedMethod } from './methods.ts'

export interface CallSample {
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

const rpcBody = (method: DescribedMethod, params: Params): string =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method: method.name, params })

function rest({ rest: route }: DescribedMethod, params: Params, url: string): readonly CallSample[] {
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

const quotedText = (value: unknown): string => JSON.stringify(String(value))

/** The calls of v2 that `TonClient` has a function for, with its arguments; null for others. */
function tonCall({ name }: DescribedMethod, { address, method, stack, limit = 10, boc }: Params): string | null {
  const account = `Address.parse(${quotedText(address)})`
  if (name === 'getMasterchainInfo') return 'client.getMasterchainInfo()'
  if (name === 'sendBoc' || name === 'sendBocReturnHash')
    return `client.sendFile(Buffer.from(${quotedText(boc)}, 'base64'))`
  if (address === undefined) return null
  if (name === 'getAddressInformation') return `client.getContractState(${account})`
  if (name === 'getAddressBalance') return `client.getBalance(${account})`
  if (name === 'getTransactions') return `client.getTransactions(${account}, { limit: ${Number(limit)} })`
  const takesNothing = !Array.isArray(stack) || stack.length === 0
  return /^(?:v3\.)?runGetMethod$/.test(name) && takesNothing
    ? `client.runMethod(${account}, ${quotedText(method)})`
    : null
}

function tonSample(method: DescribedMethod, params: Params, url: string): readonly CallSample[] {
  const call = tonCall(method, params)
  if (call === null) return []
  const names = call.includes('Address.') ? `import { Address } from '@ton/core'\n` : ''
  const client = `const client = new TonClient({ endpoint: '${url}/api/v2/jsonRPC' })`
  return [
    {
      name: '@ton/ton',
      text: `${names}import { TonClient } from '@ton/ton'\n\n${client}\nconst result = await ${call}`,
    },
  ]
}

/** `url` is that of the service, without a slash at its end. */
export function samplesOf(method: DescribedMethod, params: Params, url: string): readonly CallSample[] {
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
    ...tonSample(method, params, url),
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
