// What travels inside a connection, below requests and answers.

import { boxed } from './codec.ts'
import { parseLine } from './tlGrammar.ts'
import { TlReader } from './tlReader.ts'
import { packetLines } from './tlSchema.ts'
import type { Packet } from './tlValues.ts'
import { Writer } from './writer.ts'

const codec = boxed(packetLines.map(parseLine))

/** Bytes to leave free around a packet, for what it is sent in: then a large answer is copied once. */
export interface PacketRoom {
  readonly before: number
  readonly after: number
}

/** Throws TlError `value` when the packet does not fit the schema. */
export function encodePacket(packet: Packet, { before, after }: PacketRoom = { before: 0, after: 0 }): Uint8Array {
  const writer = new Writer(before)
  codec.write(writer, packet)
  return writer.done(after)
}

/** Throws TlError. Parts of type `bytes` are parts of the bytes that are read. */
export function decodePacket(bytes: Uint8Array): Packet {
  const reader = new TlReader(bytes)
  const packet = codec.read(reader)
  reader.end()
  // The cast: type and codec are made of the same lines.
  return packet as Packet
}
