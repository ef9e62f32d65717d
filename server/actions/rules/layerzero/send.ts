// A message leaves for another chain by LayerZero: the application calls the endpoint, the channel has the library
// price it, pays the executor, and returns the receipt to the application.

import { layerzero, layerzeroRequest } from '../../../bodies/index.ts'
import type { Slice } from '../../../cell/index.ts'
import { Kind } from '../../actionKind.ts'
import { carries, destinationOf, isCall, sourceOf, TON_TRANSFER } from '../../base.ts'
import { jsonNumber } from '../../details.ts'
import { fieldsOf, readBody } from '../../reading.ts'
import { Picked, type Rule } from '../../rule.ts'
import { isTransfer } from '../exchanges/legs.ts'
import { JETTON_TRANSFER, type JettonTransferFacts, rolesOfTransfer } from '../jettons/transfer.ts'
import {
  isLayerzeroEvent,
  type LayerzeroPacket,
  longNumber,
  nextCall,
  openObject,
  packetDetails,
  readCall,
  readPacket,
} from './object.ts'

interface Request {
  readonly id: bigint
  readonly manager: string
  readonly library: string
  readonly nativeFee: bigint
  readonly zroFee: bigint
  readonly packet: LayerzeroPacket
}

interface Send extends Request {
  readonly initiator: string | null
  readonly uln: string | null
  readonly endpoint: string | null
  readonly channel: string | null
}

const sendDetails = (send: Send) => ({
  layerzero_send_data: {
    send_request_id: jsonNumber(send.id),
    msglib_manager: send.manager,
    msglib: send.library,
    uln: send.uln,
    native_fee: jsonNumber(send.nativeFee),
    zro_fee: jsonNumber(send.zroFee),
    endpoint: send.endpoint,
    channel: send.channel,
  },
  layerzero_packet_data: packetDetails(send.packet),
})

const LAYERZERO_SEND = new Kind<Send>({
  type: 'layerzero_send',
  describe: (send) => ({
    roles: { source: send.initiator },
    details: { initiator: send.initiator, ...sendDetails(send) },
  }),
})

const readFields = fieldsOf(layerzeroRequest)

/** The request as it was in the end, with the number and the id of its packet. */
function readRequest(request: Slice): Request {
  const { id, manager, library, packet, more } = readFields(request)
  return {
    id,
    manager: longNumber(manager),
    library: longNumber(library),
    packet: readPacket(openObject(packet)),
    nativeFee: more.nativeFee,
    zroFee: more.zroFee,
  }
}

/** The receipt wraps the request. */
const readReceipt = (body: Slice): Request => readRequest(openObject(openObject(readCall(body).loadRef()).loadRef()))

/** Invariant: the endpoint was brought the fee of a packet, and its channel returns the receipt to the application. */
export const layerzeroSend: Rule = {
  name: 'layerzero/send',
  begins: isCall(layerzero.endpointSend.opcode),
  match(start) {
    const picked = new Picked(start)
    const toChannel = nextCall(start, layerzero.channelSend, picked)
    const toLibrary = nextCall(toChannel, layerzero.librarySend, picked)
    const toUln = nextCall(toLibrary, layerzero.ulnSend, picked)
    const callback = nextCall(toUln, layerzero.sendCallback, picked)
    const receipt = nextCall(callback, layerzero.receipt, picked)
    const request = receipt === null ? null : readBody(receipt, readReceipt)
    if (receipt === null || request === null || !carries(start, request.nativeFee)) return null
    // The fees, which the channel pays once the library has set them, and what the sender paid too much.
    if (callback !== null) picked.every(callback, (block) => TON_TRANSFER.is(block))
    const payer = JETTON_TRANSFER.of(start.previous)?.sender ?? sourceOf(start.previous)
    picked.every(receipt, (block) => payer !== null && TON_TRANSFER.of(block)?.destination === payer)
    const content = LAYERZERO_SEND.content({
      initiator: sourceOf(start),
      uln: destinationOf(toUln),
      endpoint: destinationOf(start),
      channel: destinationOf(toChannel),
      ...request,
    })
    // The packet has left before the application learns of it.
    return { blocks: picked.blocks, content, failed: start.failed }
  },
}

const LAYERZERO_SEND_TOKENS = new Kind<{ readonly transfer: JettonTransferFacts; readonly send: Send }>({
  type: 'layerzero_send_tokens',
  describe: ({ transfer, send }) => ({
    roles: rolesOfTransfer(transfer),
    details: {
      sender: transfer.sender,
      sender_wallet: transfer.senderWallet,
      oapp: transfer.receiver,
      oapp_wallet: transfer.receiverWallet,
      asset: transfer.asset,
      amount: String(transfer.amount),
      ...sendDetails(send),
    },
  }),
})

/** Invariant: a packet leaves because of a transfer of jettons to the application. */
export const layerzeroSendTokens: Rule = {
  name: 'layerzero/sendTokens',
  begins: (block) => LAYERZERO_SEND.is(block),
  match(block) {
    const send = LAYERZERO_SEND.of(block)
    const picked = new Picked(block)
    const moved = picked.previous(block, isTransfer)
    const transfer = JETTON_TRANSFER.of(moved)
    // What failed brought nothing in.
    if (send === undefined || moved === null || moved.failed || transfer === undefined) return null
    picked.every(moved, isLayerzeroEvent)
    const content = LAYERZERO_SEND_TOKENS.content({ transfer, send })
    return { blocks: picked.blocks, content, failed: block.failed }
  },
}
