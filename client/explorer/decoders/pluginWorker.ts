// A worker that runs the decoders of an operator's script. The page ends it when a call takes too long.

import type { Getter } from '../../../shared/abi/abi.ts'
import { isCallable, plainText } from '../../../shared/abi/abi.ts'
import { toBase64 } from '../../../shared/base64.ts'
import { isObject } from '../../../shared/isObject.ts'
import { parseHash } from '../../../shared/parseHash.ts'
import { CellReader } from '../cell/cellReader.ts'
import { textOfCell } from '../cell/guesses.ts'
import { type BagCell, bytesOfText, readBag } from '../cell/readBag.ts'
import { readAccountName } from './bodyDecoder.ts'
import type { DecoderCall, DecoderFacts, FromPlugin, PluginDecoded, ToPlugin } from './pluginCalls.ts'

/** A cell as decoders get it: `read()` begins at its first bit. */
interface OpenCell extends BagCell {
  readonly refs: readonly OpenCell[]
  read(): OpenReader
  /** Null when it holds no text. */
  text(): string | null
}

class OpenReader extends CellReader {
  override ref(): OpenCell {
    return open(super.ref())
  }

  address(): string | null {
    return readAccountName(this)
  }

  coins(): bigint {
    return this.varUint(4)
  }
}

const open = (cell: BagCell): OpenCell => ({
  ...cell,
  // One level at a time: a cell can be below many others.
  get refs() {
    return cell.refs.map(open)
  },
  read: () => new OpenReader(cell),
  text: () => textOfCell(cell),
})

type Decode = (cell: OpenCell, way: DecoderCall['way']) => unknown

const MOST_DECODERS = 200
const MOST_NAMES = 1_000

const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value.slice(0, MOST_NAMES) : [])

const namesIn = (value: unknown, keyOf: (key: string) => string): Readonly<Record<string, string>> =>
  isObject(value)
    ? Object.fromEntries(
        Object.entries(value)
          .slice(0, MOST_NAMES)
          .map(([key, name]) => [keyOf(key), plainText(name)]),
      )
    : {}

const ARGUMENTS: readonly Getter['args'][number]['type'][] = ['number', 'address', 'text', 'cell', 'slice']

const getterOf = (value: unknown): Getter[] => {
  if (!isObject(value) || typeof value.name !== 'string' || !isCallable({ name: value.name })) return []
  const args = listIn(value.args).flatMap((one) => {
    const type = isObject(one) && ARGUMENTS.find((known) => known === one.type)
    return type ? [{ name: plainText(one.name), type }] : []
  })
  return [{ name: value.name, id: null, args, returns: plainText(value.returns) }]
}

const hashOf = (text: unknown): string[] => {
  const bytes = typeof text === 'string' ? parseHash(text) : null
  return bytes === null ? [] : [toBase64(bytes)]
}

function factsOf(value: unknown, at: number): DecoderFacts {
  if (!isObject(value) || typeof value.name !== 'string') throw new Error(`decoder ${at} has no name`)
  return {
    name: plainText(value.name),
    codeHashes: listIn(value.codeHashes).flatMap(hashOf),
    interfaces: listIn(value.interfaces).map(plainText),
    errors: namesIn(value.exitCodes, (code) => code),
    opcodes: namesIn(value.opcodes, (code) => `0x${Number(code).toString(16).padStart(8, '0')}`),
    getters: listIn(value.getters).flatMap(getterOf),
    reads: (['message', 'storage'] as const).filter((what) => typeof value[what] === 'function'),
  }
}

const MOST_VALUES = 1_000
const LONGEST_VALUE = 4_000
const DEEPEST = 16

/** A value as the page shows it: data alone, and not without end. */
function plain(value: unknown, room: { left: number }, depth = 0): unknown {
  room.left--
  if (room.left < 0 || depth > DEEPEST) throw new Error('it returned more than a page shows')
  if (typeof value === 'bigint') return String(value)
  if (typeof value === 'string') return value.slice(0, LONGEST_VALUE)
  if (typeof value === 'number' || typeof value === 'boolean' || value === null || value === undefined)
    return value ?? null
  if (Array.isArray(value)) return value.map((one) => plain(one, room, depth + 1))
  if (!isObject(value)) throw new Error('it returned a value that is no data')
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, plain(one, room, depth + 1)]))
}

function decodedOf(value: unknown): PluginDecoded | null {
  if (value === null || value === undefined) return null
  if (!isObject(value) || typeof value.type !== 'string' || !Array.isArray(value.fields))
    throw new Error('it returned neither null nor { type, fields }')
  const room = { left: MOST_VALUES }
  const fields = value.fields.map((one: unknown) => {
    if (!isObject(one) || typeof one.name !== 'string') throw new Error('a field has no name')
    return [plainText(one.name), plain(one.value, room)] as const
  })
  return { type: plainText(value.type), fields: Object.fromEntries(fields) }
}

let decoders: readonly unknown[] = []

const send = (message: FromPlugin): void => postMessage(message)

const wordsFor = (error: unknown): string => plainText(error instanceof Error ? error.message : String(error))

async function load(url: string): Promise<void> {
  try {
    const { default: list }: { readonly default?: unknown } = await import(url)
    if (!Array.isArray(list)) throw new Error('its default export is no list of decoders')
    decoders = list.slice(0, MOST_DECODERS)
    send({ loaded: decoders.map(factsOf) })
  } catch (error) {
    send({ refused: wordsFor(error) })
  }
}

function call({ id, decoder, what, boc, way }: DecoderCall): void {
  try {
    const [root] = readBag(bytesOfText(boc)).roots
    const one = decoders[decoder]
    if (root === undefined || !isObject(one)) throw new Error('there is nothing to decode')
    send({ began: id })
    // The cast: `factsOf` has looked, and the page calls what it reads.
    const found = decodedOf((one[what] as Decode).call(one, open(root), way))
    send({ id, found, error: null })
  } catch (error) {
    send({ id, found: null, error: wordsFor(error) })
  }
}

addEventListener('message', ({ data }: MessageEvent<ToPlugin>) => {
  if ('load' in data) void load(data.load)
  else call(data.call)
})
