// What arrives by LayerZero: verifiers vouch for a packet, it is committed to its channel, and the application receives it.

import { layerzero, layerzeroCommitRequest, layerzeroStatus } from '../../../bodies/index.ts'
import type { Slice } from '../../../cell/index.ts'
import { Kind } from '../../actionKind.ts'
import { destinationOf, isCall, sourceOf, TON_TRANSFER } from '../../base.ts'
import { jsonNumber } from '../../details.ts'
import { fieldsOf, hexOfBytes, readBody } from '../../reading.ts'
import { Picked, type Rule } from '../../rule.ts'
import { type LayerzeroPacket, nextCall, openObject, packetDetails, readCall, readPacket } from './object.ts'

interface Receive {
  readonly sender: string | null
  readonly oapp: string | null
  readonly channel: string | null
  readonly packet: LayerzeroPacket
}

const LAYERZERO_RECEIVE = new Kind<Receive>({
  type: 'layerzero_receive',
  describe: ({ sender, oapp, channel, packet }) => ({
    roles: { source: sender, destination: oapp, destinationSecondary: channel },
    details: { sender, oapp, channel, layerzero_packet_data: packetDetails(packet) },
  }),
})

const readPacketCall = (body: Slice): LayerzeroPacket => readPacket(readCall(body))

/**
 * Invariant: the channel executes a packet and, once the application has called back, reports whether it was
 * received.
 */
export const layerzeroReceive: Rule = {
  name: 'layerzero/receive',
  begins: isCall(layerzero.prepare.opcode),
  match(start) {
    const picked = new Picked(start)
    const execute = nextCall(start, layerzero.execute, picked)
    const packet = execute === null ? null : readBody(execute, readPacketCall)
    if (execute === null || packet === null) return null
    const callback = nextCall(execute, layerzero.executeCallback, picked)
    const locked = nextCall(callback, layerzero.locked, picked)
    const received = nextCall(locked, layerzero.received, picked)
    if (received === null) return null
    // What was sent too much.
    for (const block of [start, received]) picked.every(block, (next) => TON_TRANSFER.is(next))
    const isReceived = readBody(received, (body) => readCall(body).loadBit())
    const content = LAYERZERO_RECEIVE.content({
      sender: sourceOf(start),
      oapp: destinationOf(execute),
      channel: destinationOf(start),
      packet,
    })
    return { blocks: picked.blocks, content, failed: isReceived !== true }
  },
}

interface Commit {
  readonly sender: string | null
  readonly endpoint: string | null
  readonly uln: string | null
  readonly connection: string | null
  readonly channel: string | null
  readonly library: string | null
  readonly packet: LayerzeroPacket
}

const LAYERZERO_COMMIT = new Kind<Commit>({
  type: 'layerzero_commit_packet',
  describe: ({ sender, endpoint, uln, connection, channel, library, packet }) => ({
    roles: {
      source: sender,
      sourceSecondary: endpoint,
      destination: uln,
      destinationSecondary: connection,
      asset: channel,
      assetSecondary: library,
    },
    details: {
      sender,
      endpoint,
      uln,
      uln_connection: connection,
      channel,
      msglib_connection: library,
      layerzero_packet_data: packetDetails(packet),
    },
  }),
})

const readUlnCommit = fieldsOf(layerzero.ulnCommit)
const readRequest = fieldsOf(layerzeroCommitRequest)

/** The request names the connection the packet came by, and holds the packet. */
function readCommit(body: Slice) {
  const { uln, packet } = readRequest(openObject(readUlnCommit(body).request))
  return { uln: `0:${hexOfBytes(uln).toUpperCase()}`, packet: readPacket(openObject(packet)) }
}

/** Invariant: the request passes from contract to contract to the channel, which calls back. */
export const layerzeroCommit: Rule = {
  name: 'layerzero/commit',
  begins: isCall(layerzero.ulnCommit.opcode),
  match(start) {
    const picked = new Picked(start)
    const toConnection = nextCall(start, layerzero.connectionCommit, picked)
    const toEndpoint = nextCall(toConnection, layerzero.endpointCommit, picked)
    const toChannel = nextCall(toEndpoint, layerzero.channelCommit, picked)
    const callback = nextCall(toChannel, layerzero.commitCallback, picked)
    const requested = callback === null ? null : readBody(start, readCommit)
    if (callback === null || requested === null) return null
    picked.every(callback, (block) => TON_TRANSFER.is(block))
    const content = LAYERZERO_COMMIT.content({
      sender: sourceOf(start),
      endpoint: destinationOf(toEndpoint),
      connection: destinationOf(toConnection),
      channel: destinationOf(toChannel),
      library: destinationOf(callback),
      ...requested,
    })
    return { blocks: picked.blocks, content, failed: callback.failed }
  },
}

const SUCCEEDED = 0x3bbc306b
/** Checksums of the contract's own names for them. */
const STATUSES: ReadonlyMap<number, string> = new Map([
  [SUCCEEDED, 'succeeded'],
  [0x7fcbb4ac, 'nonce_out_of_range'],
  [0x29c53fab, 'dvn_not_configured'],
])

interface Verification {
  readonly initiator: string | null
  readonly nonce: bigint
  readonly status: number
  readonly dvn: string | null
  readonly proxy: string | null
  readonly uln: string | null
  readonly connection: string | null
}

const LAYERZERO_VERIFY = new Kind<Verification>({
  type: 'layerzero_dvn_verify',
  describe: ({ initiator, nonce, status, dvn, proxy, uln, connection }) => ({
    roles: { source: initiator },
    details: {
      initiator,
      nonce: jsonNumber(nonce),
      status: STATUSES.get(status) ?? `unknown_${status}`,
      dvn,
      proxy,
      uln,
      uln_connection: connection,
    },
    accounts: [dvn, proxy, uln, connection],
  }),
})

const readFields = fieldsOf(layerzeroStatus)
const readStatus = (body: Slice) => readFields(openObject(readCall(body).loadRef()))

/**
 * Invariant: the verifier's request passes from contract to contract to the connection, whose answer has the
 * outcome.
 */
export const layerzeroVerify: Rule = {
  name: 'layerzero/verify',
  begins: isCall(layerzero.dvnVerify.opcode),
  match(start) {
    const picked = new Picked(start)
    const toProxy = nextCall(start, layerzero.proxyCall, picked)
    const toUln = nextCall(toProxy, layerzero.ulnVerify, picked)
    const toConnection = nextCall(toUln, layerzero.connectionVerify, picked)
    const callback = nextCall(toConnection, layerzero.verifyCallback, picked)
    const outcome = callback === null ? null : readBody(callback, readStatus)
    if (callback === null || outcome === null) return null
    picked.every(callback, (block) => TON_TRANSFER.is(block))
    const content = LAYERZERO_VERIFY.content({
      initiator: sourceOf(start),
      dvn: destinationOf(start),
      proxy: destinationOf(toProxy),
      uln: destinationOf(toUln),
      connection: destinationOf(toConnection),
      ...outcome,
    })
    return { blocks: picked.blocks, content, failed: outcome.status !== SUCCEEDED }
  },
}
