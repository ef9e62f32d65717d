// Bodies of made messages: recorded ones with something changed in them, and a few of our own.

import {
  type Builder,
  beginCell,
  type Cell,
  openCell,
  readBoc,
  stdAddress,
  storeAddress,
  writeBoc,
} from '../../../../server/cell/index.ts'
import type { Hop, Json } from './tree.ts'

export const bodyOf = ({ message }: Hop): Cell =>
  readBoc(Buffer.from(String((message.message_content as Json).body), 'base64'))

/** The number the JSON has for an operation is signed. */
const opcodeOf = (body: Cell): number | null => (body.bits < 32 ? null : openCell(body).loadInt(32))

export const opcodeOfHop = ({ message }: Hop): number | null =>
  message.opcode === null ? null : Number(message.opcode) >>> 0

/** A message with another body. */
export function withBody(message: Json, body: Cell): Json {
  const hash = Buffer.from(body.hashBytes()).toString('base64')
  const content = { hash, body: Buffer.from(writeBoc(body)).toString('base64') }
  return { ...message, body_hash: hash, opcode: opcodeOf(body), message_content: content }
}

const bitsOf = (cell: Cell): string => {
  let bits = ''
  for (const byte of cell.data()) bits += byte.toString(2).padStart(8, '0')
  return bits.slice(0, cell.bits)
}

const hashBits = (raw: string): string =>
  BigInt(`0x${raw.split(':')[1]}`)
    .toString(2)
    .padStart(256, '0')

function storeText(bits: string): Builder {
  const builder = beginCell()
  for (const bit of bits) builder.storeBit(bit === '1')
  return builder
}

/** The cell with one account in place of another, wherever its hash is in a cell. */
export function renamedIn(cell: Cell, from: string, to: string): Cell {
  const old = hashBits(from)
  const fresh = hashBits(to)
  const done = new Map<Cell, Cell>()
  const visit = (one: Cell): Cell => {
    const known = done.get(one)
    if (known !== undefined) return known
    const refs = one.refs.map(visit)
    const bits = bitsOf(one)
    const isSame = !bits.includes(old) && refs.every((ref, i) => ref === one.refs[i])
    const builder = isSame ? null : storeText(bits.replaceAll(old, fresh))
    for (const ref of builder === null ? [] : refs) builder?.storeRef(ref)
    const made = builder === null ? one : builder.end(one.isExotic)
    done.set(one, made)
    return made
  }
  return visit(cell)
}

/** Operations whose amount of jettons follows the operation and a number of 64 bits. */
const WITH_AMOUNT: readonly number[] = [0x0f8a7ea5, 0x178d4519, 0x7362d09c, 0x595f07bc, 0x7bdd97de]

/** The body with another amount of jettons; null when it has none. */
export function withAmount(body: Cell, amount: bigint): Cell | null {
  if (body.bits < 100) return null
  const slice = openCell(body)
  if (!WITH_AMOUNT.includes(slice.preloadUint(32))) return null
  const builder = beginCell().storeBits(slice.loadBits(96))
  slice.loadVarUint(16)
  builder.storeVarUint(amount, 16)
  // What does not fit any more stays as it was.
  if (builder.bits + slice.remainingBits > 1023) return null
  return builder.storeSlice(slice).end()
}

const storeRaw = (builder: Builder, raw: string): Builder => {
  const [workchain, hash] = raw.split(':')
  return storeAddress(builder, stdAddress(Number(workchain), Buffer.from(String(hash), 'hex')))
}

export const call = (opcode: number, queryId = 7n): Builder => beginCell().storeUint(opcode, 32).storeUint(queryId, 64)

export const comment = (text: string): Cell => beginCell().storeUint(0, 32).storeBytes(Buffer.from(text)).end()

/** A bounced body has the first 256 bits of the one that bounced. */
export function bouncedBody(body: Cell): Cell {
  const slice = openCell(body)
  return beginCell()
    .storeUint(0xffffffff, 32)
    .storeBits(slice.loadBits(Math.min(256, slice.remainingBits)))
    .end()
}

export const transferBody = (amount: bigint, to: string, from: string, forward: Cell): Cell =>
  storeRaw(storeRaw(call(0x0f8a7ea5).storeVarUint(amount, 16), to), from)
    .storeBit(0)
    .storeCoins(1n)
    .storeBit(1)
    .storeRef(forward)
    .end()

export const internalBody = (amount: bigint, from: string, forward: Cell): Cell =>
  storeRaw(storeRaw(call(0x178d4519).storeVarUint(amount, 16), from), from)
    .storeCoins(1n)
    .storeBit(1)
    .storeRef(forward)
    .end()

export const noticeBody = (amount: bigint, from: string, forward: Cell): Cell =>
  storeRaw(call(0x7362d09c).storeVarUint(amount, 16), from).storeBit(1).storeRef(forward).end()

/** The message of a hop as a wallet is ordered to send it. */
export function orderedCell({ message }: Hop, body: Cell): Cell {
  const builder = beginCell()
    .storeUint(0b0, 1)
    .storeBit(1)
    .storeBit(message.bounce === true)
    .storeBit(0)
  builder.storeUint(0, 2)
  storeRaw(builder, String(message.destination))
  return builder
    .storeCoins(BigInt(String(message.value ?? 0)))
    .storeBit(0)
    .storeCoins(0n)
    .storeCoins(0n)
    .storeUint(0, 64 + 32)
    .storeBit(0)
    .storeBit(1)
    .storeRef(body)
    .end()
}
