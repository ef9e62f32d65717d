// Objects as the contracts of LayerZero keep them in cells: a name, positions of up to fifteen fields, then those
// stored inline, in order. The fields read here are always at the same position.

import {
  type BodyDefinition,
  layerzero,
  layerzeroObject,
  layerzeroPacket,
  layerzeroPath,
} from '../../../bodies/index.ts'
import { type Cell, openCell, orNull, type Slice } from '../../../cell/index.ts'
import { snakeBytes } from '../../../tlb/index.ts'
import type { ActionBlock } from '../../actionBlock.ts'
import { isCall } from '../../base.ts'
import { jsonNumber } from '../../details.ts'
import { fieldsOf, hexOfBytes, readAddress } from '../../reading.ts'
import type { Picked } from '../../rule.ts'

const readObject = fieldsOf(layerzeroObject, 'fields')

/** What lies inside an object, behind its head. */
export const openObject = (cell: Cell): Slice => readObject(openCell(cell)).fields

/**
 * Behind the operation of a call between contracts: query, donation, who began; then what it is about. No definition:
 * the third field is left out by some, in the middle.
 */
export function readCall(body: Slice): Slice {
  body.skip(64).loadCoins()
  if (body.remainingBits > 0) readAddress(body)
  return openObject(body.loadRef())
}

/** A number of 256 bits as it is shown. */
export const longNumber = (value: bigint): string => `0x${value.toString(16)}`

export interface LayerzeroPacket {
  readonly srcOapp: string
  readonly dstOapp: string
  readonly srcEid: number
  readonly dstEid: number
  readonly nonce: bigint
  readonly guid: string
  readonly message: string | null
}

const readFields = fieldsOf(layerzeroPacket)
const readPath = fieldsOf(layerzeroPath)

export function readPacket(packet: Slice): LayerzeroPacket {
  const { nonce, guid, path } = readFields(packet)
  const { srcEid, srcOapp, dstEid, dstOapp } = readPath(openObject(path))
  const bytes = orNull(() => snakeBytes(openCell(packet.loadRef())))
  return {
    srcOapp: longNumber(srcOapp),
    dstOapp: longNumber(dstOapp),
    srcEid,
    dstEid,
    nonce,
    guid: longNumber(guid),
    message: bytes === null ? null : `0x${hexOfBytes(bytes)}`,
  }
}

export const packetDetails = (packet: LayerzeroPacket) => ({
  src_oapp: packet.srcOapp,
  dst_oapp: packet.dstOapp,
  src_eid: packet.srcEid,
  dst_eid: packet.dstEid,
  nonce: jsonNumber(packet.nonce),
  guid: packet.guid,
  message: packet.message,
})

export const isLayerzeroEvent = isCall(layerzero.event.opcode)

/** The call behind `block`, picked, with the events both wrote. */
export function nextCall(block: ActionBlock | null, { opcode }: BodyDefinition, picked: Picked): ActionBlock | null {
  if (block === null) return null
  picked.every(block, isLayerzeroEvent)
  const found = picked.next(block, isCall(opcode))
  if (found !== null) picked.every(found, isLayerzeroEvent)
  return found
}
