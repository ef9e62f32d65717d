// The call of a get-method: as the page makes it, and as lines to copy into other programs.

import type { Api } from '../../index.ts'
import { publicServiceUrl } from '../pageBoot.ts'
import { client } from '../pageClient.ts'
import { type ArgumentEntry, entryOf } from './argumentValues.ts'
import { type Argument, addressOfSlice, isMethodId, type StackEntry } from './stackValues.ts'

export interface ChosenMethod {
  readonly method: string
  readonly list: readonly Argument[]
  /** Seqno of the masterchain block to run at; empty for the newest. */
  readonly block: string
}

export type RunResult = Api['v3.runGetMethod']['result']

type TypedEntry = Api['runGetMethodStd']['result']['stack'][number]

function typedEntry(entry: ArgumentEntry): TypedEntry {
  switch (entry.type) {
    case 'num':
      return {
        '@type': 'tvm.stackEntryNumber',
        number: { '@type': 'tvm.numberDecimal', number: entry.value },
      }
    case 'cell':
      return { '@type': 'tvm.stackEntryCell', cell: { '@type': 'tvm.cell', bytes: entry.value } }
    case 'slice':
      return { '@type': 'tvm.stackEntrySlice', slice: { '@type': 'tvm.slice', bytes: entry.value } }
    case 'null':
      // A list without elements is null.
      return { '@type': 'tvm.stackEntryList', list: { '@type': 'tvm.list', elements: [] } }
    case 'tuple':
      return {
        '@type': 'tvm.stackEntryTuple',
        tuple: { '@type': 'tvm.tuple', elements: entry.value.map(typedEntry) },
      }
  }
}

function hexNumber(decimal: string): string {
  const number = BigInt(decimal)
  return number < 0n ? `-0x${(-number).toString(16)}` : `0x${number.toString(16)}`
}

function plainEntry(entry: TypedEntry): StackEntry {
  switch (entry['@type']) {
    case 'tvm.stackEntryNumber':
      return { type: 'num', value: hexNumber(entry.number.number) }
    case 'tvm.stackEntryCell':
      return { type: 'cell', value: entry.cell.bytes }
    case 'tvm.stackEntrySlice':
      return { type: 'slice', value: entry.slice.bytes }
    case 'tvm.stackEntryTuple':
      return { type: 'tuple', value: entry.tuple.elements.map(plainEntry) }
    case 'tvm.stackEntryList':
      return { type: 'list', value: entry.list.elements.map(plainEntry) }
    case 'tvm.stackEntryUnsupported':
      throw new TypeError('The method returned a value that cannot be shown, such as a continuation.')
  }
}

interface PlainArgument {
  readonly type: 'num' | 'cell' | 'slice'
  readonly value: string
}

const isPlain = (entry: ArgumentEntry): entry is PlainArgument => entry.type !== 'null' && entry.type !== 'tuple'

/** Null for the newest block. */
function seqnoIn(block: string): number | null {
  if (!/^\d{0,10}$/.test(block)) throw new TypeError(`“${block}” is no number of a block.`)
  return block === '' ? null : Number(block)
}

/** v3.runGetMethod takes no null and no tuple; runGetMethodStd takes all. Throws a sentence for the person who typed. */
function callOf(address: string, { method, list, block }: ChosenMethod) {
  const entries = list.map((one) => entryOf(one))
  const seqno = seqnoIn(block)
  const at = seqno === null ? {} : { seqno }
  return entries.every(isPlain)
    ? ({ name: 'v3.runGetMethod', params: { address, method, stack: entries, ...at } } as const)
    : ({ name: 'runGetMethodStd', params: { address, method, stack: entries.map(typedEntry), ...at } } as const)
}

export async function runMethod(address: string, chosen: ChosenMethod): Promise<RunResult> {
  const call = callOf(address, chosen)
  if (call.name === 'v3.runGetMethod') return client.v3.runGetMethod(call.params)
  const { gas_used, exit_code, stack } = await client.runGetMethodStd(call.params)
  return { gas_used, exit_code, stack: stack.map(plainEntry) }
}

/** A value as an item of @ton/core. */
function itemOf(entry: ArgumentEntry): string {
  if (entry.type === 'null') return `{ type: 'null' }`
  if (entry.type === 'tuple') return `{ type: 'tuple', items: [${entry.value.map(itemOf).join(', ')}] }`
  if (entry.type === 'num') {
    const isNegativeHex = /^-0x/i.test(entry.value)
    return `{ type: 'int', value: ${isNegativeHex ? -BigInt(entry.value.slice(1)) : entry.value}n }`
  }
  const account = entry.type === 'slice' ? addressOfSlice(entry.value) : null
  const cell =
    account === null
      ? `Cell.fromBase64('${entry.value}')`
      : `beginCell().storeAddress(Address.parse('${account}')).endCell()`
  return `{ type: '${entry.type}', cell: ${cell} }`
}

const quoted = (text: string): string => JSON.stringify(text)

/** What the lines use, of a package. */
const imported = (code: string, names: readonly string[], from: string): string => {
  const used = names.filter((name) => new RegExp(`\\b${name}\\b`).test(code))
  return used.length === 0 ? '' : `import { ${used.join(', ')} } from '${from}'\n`
}

const OF_CORE = ['Address', 'Cell', 'ContractProvider', 'beginCell']

function tonLines(address: string, chosen: ChosenMethod): string {
  const { method, list } = chosen
  const entries = list.map((one) => entryOf(one))
  const seqno = seqnoIn(chosen.block)
  const given = `Address.parse('${address}'), ${quoted(method)}, [${entries.map(itemOf).join(', ')}]`
  // TonClient sends no null and no tuple, and runs at the newest block only.
  const code =
    seqno === null && entries.every(isPlain)
      ? `const client = new TonClient({ endpoint: '${publicServiceUrl}/api/v2/jsonRPC' })
const { stack } = await client.runMethod(${given})`
      : `const client = new TonClient4({ endpoint: '${publicServiceUrl}/api/v4' })
${seqno === null ? 'const { last } = await client.getLastBlock()\n' : ''}const { exitCode, reader: stack } = await client.runMethod(${seqno ?? 'last.seqno'}, ${given})`
  return `${imported(code, OF_CORE, '@ton/core')}${imported(code, ['TonClient', 'TonClient4'], '@ton/ton')}\n${code}\n`
}

/** How a result is read from the stack. */
function readOf({ type, value }: StackEntry): string {
  if (type === 'num') return 'stack.readBigNumber()'
  if (type === 'tuple') return 'stack.readTuple()'
  if (typeof value !== 'string') return 'stack.pop()'
  return addressOfSlice(value) === null ? 'stack.readCell()' : 'stack.readAddress()'
}

/** `get_jetton_data` is `getJettonData`. */
function functionName(method: string): string {
  const words = method.replace(/^get_?(?=[a-z_])/i, '').split(/\W+|_+/)
  return `get${words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')}`
}

/** A function of a wrapper class; `result` is that of the same method, when it was run. */
function wrapperLines({ method, list }: ChosenMethod, result: RunResult | undefined): string {
  const items = list.map((one) => itemOf(entryOf(one))).join(', ')
  const reads = result?.exit_code === 0 || result?.exit_code === 1 ? result.stack.map(readOf) : []
  const read = reads.length === 0 ? 'stack' : reads.length === 1 ? reads[0] : `[${reads.join(', ')}] as const`
  const id = isMethodId(method) ? method : quoted(method)
  const code = `async ${functionName(method)}(provider: ContractProvider) {
  const { stack } = await provider.get(${id}, [${items}])
  return ${read}
}
`
  return `${imported(code, OF_CORE, '@ton/core')}\n${code}`
}

export type LineKind = 'curl' | 'tonrpc/client' | '@ton/ton' | 'a wrapper'

/** The call for another program. Throws a sentence for the person who typed the arguments. */
export function linesFor(kind: LineKind, address: string, chosen: ChosenMethod, result: RunResult | undefined): string {
  if (kind === '@ton/ton') return tonLines(address, chosen)
  if (kind === 'a wrapper') return wrapperLines(chosen, result)
  const { name, params } = callOf(address, chosen)
  if (kind === 'tonrpc/client') return `await client.${name}(${JSON.stringify(params)})`
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: name, params }).replaceAll("'", "'\\''")
  return `curl -s ${publicServiceUrl}/jsonRPC -H 'content-type: application/json' -d '${body}'`
}
