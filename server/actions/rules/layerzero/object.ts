// Objects as the contracts of LayerZero keep them in cells: a name, positions of up to fifteen fields, then those
// stored inline, in order. The fields read here are always at the same position.

import { type Cell, openCell, type Slice } from '../../../cell/index.ts'
import { orNull, snakeBytes } from '../../../tlb/index.ts'
import { isCall } from '../../base.ts'
import type { Block } from '../../block.ts'
import { hexOf, readAddress } from '../../reading.ts'
import type { Picked } from '../../rule.ts'

/** The name, and 18 bits a field. */
const HEAD = 80 + 15 * 18

/** What lies inside an object, behind its head. */
export const openObject = (cell: Cell): Slice => openCell(cell).skip(HEAD)

/** Behind the operation of a call between contracts: query, donation, who began; then what it is about. */
export function readCall(body: Slice): Slice {
  body.skip(64).loadCoins()
  if (body.remainingBits > 0) readAddress(body)
  return openObject(body.loadRef())
}

/** A number of 256 bits as it is shown. */
export const readLongNumber = (slice: Slice): string => `0x${slice.loadUintBig(256).toString(16)}`

export interface Packet {
  readonly srcOapp: string
  readonly dstOapp: string
  readonly srcEid: number
  readonly dstEid: number
  readonly nonce: bigint
  readonly guid: string
  readonly message: string | null
}

export function readPacket(packet: Slice): Packet {
  const nonce = packet.loadUintBig(64)
  const guid = readLongNumber(packet)
  const path = openObject(packet.loadRef())
  const srcEid = path.loadUint(32)
  const srcOapp = readLongNumber(path)
  const dstEid = path.loadUint(32)
  const dstOapp = readLongNumber(path)
  const bytes = orNull(() => snakeBytes(openCell(packet.loadRef())))
  const message = bytes === null ? null : `0x${hexOf(bytes)}`
  return { srcOapp, dstOapp, srcEid, dstEid, nonce, guid, message }
}

export const packetDetails = (packet: Packet) => ({
  src_oapp: packet.srcOapp,
  dst_oapp: packet.dstOapp,
  src_eid: packet.srcEid,
  dst_eid: packet.dstEid,
  nonce: String(packet.nonce),
  guid: packet.guid,
  message: packet.message,
})

const EVENT = 0xe33b9873

/** The call behind `block`, picked, with the events both wrote. */
export function nextCall(block: Block | null, opcode: number, picked: Picked): Block | null {
  if (block === null) return null
  picked.every(block, isCall(EVENT))
  const found = picked.next(block, isCall(opcode))
  if (found !== null) picked.every(found, isCall(EVENT))
  return found
}
