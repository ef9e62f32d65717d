// What travels inside a connection, below requests and answers.

import { boxed } from './codec.ts'
import { parseLine } from './grammar.ts'
import { Reader } from './reader.ts'
import { packetLines } from './schema.ts'
import type { Packet } from './values.ts'
import { Writer } from './writer.ts'

const codec = boxed(packetLines.map(parseLine))

export function encodePacket(packet: Packet): Uint8Array {
  const writer = new Writer()
  codec.write(writer, packet)
  return writer.done()
}

/** Throws TlError. Parts of type `bytes` are parts of the bytes that are read. */
export function decodePacket(bytes: Uint8Array): Packet {
  const reader = new Reader(bytes)
  const packet = codec.read(reader)
  reader.end()
  // Type and codec are made of the same lines.
  return packet as Packet
}
