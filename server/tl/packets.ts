// What travels inside a connection, below requests and answers.

import { boxed } from './codec.ts'
import { parseLine } from './tlGrammar.ts'
import { TlReader } from './tlReader.ts'
import { packetLines } from './tlSchema.ts'
import type { Packet } from './tlValues.ts'
import { sizeOfBytes, Writer } from './writer.ts'

const lines = packetLines.map(parseLine)
const codec = boxed(lines)

// Nearly all packets are these two, which are written and read here without a look-up of each field.
const idOf = (wanted: string): number => lines.find(({ name }) => name === wanted)?.id ?? Number.NaN
const QUERY = idOf('adnl.message.query')
const ANSWER = idOf('adnl.message.answer')

function writePacket(writer: Writer, packet: Packet): void {
  if (packet['@type'] === 'adnl.message.query') {
    writer.uint(QUERY)
    writer.int256(packet.query_id)
    writer.bytes(packet.query)
  } else if (packet['@type'] === 'adnl.message.answer') {
    writer.uint(ANSWER)
    writer.int256(packet.query_id)
    writer.bytes(packet.answer)
  } else codec.write(writer, packet)
}

/** Null for a packet of another kind. */
function readFrequent(reader: TlReader): Packet | null {
  const id = reader.uint()
  if (id === QUERY) return { '@type': 'adnl.message.query', query_id: reader.int256(), query: reader.bytes() }
  if (id === ANSWER) return { '@type': 'adnl.message.answer', query_id: reader.int256(), answer: reader.bytes() }
  return null
}

/** Of the two frequent packets: constructor and id of the query. */
const HEAD_BYTES = 36

/** Exactly what a frequent packet takes; undefined for others. */
function sizeOf(packet: Packet): number | undefined {
  if (packet['@type'] === 'adnl.message.query') return HEAD_BYTES + sizeOfBytes(packet.query)
  return packet['@type'] === 'adnl.message.answer' ? HEAD_BYTES + sizeOfBytes(packet.answer) : undefined
}

/** Bytes to leave free around a packet, for what it is sent in: then a large answer is copied once. */
export interface PacketRoom {
  readonly before: number
  readonly after: number
}

/** Throws TlError `value` when the packet does not fit the schema. */
export function encodePacket(packet: Packet, { before, after }: PacketRoom = { before: 0, after: 0 }): Uint8Array {
  const size = sizeOf(packet)
  const writer = new Writer(before, size === undefined ? undefined : before + size + after)
  writePacket(writer, packet)
  return writer.done(after)
}

/** Throws TlError. Parts of type `bytes` are parts of the bytes that are read. */
export function decodePacket(bytes: Uint8Array): Packet {
  const first = new TlReader(bytes)
  const frequent = readFrequent(first)
  const reader = frequent === null ? new TlReader(bytes) : first
  // The cast: type and codec are made of the same lines.
  const packet = frequent ?? (codec.read(reader) as Packet)
  reader.end()
  return packet
}
