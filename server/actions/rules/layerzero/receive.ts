// What arrives by LayerZero: verifiers vouch for a packet, it is committed to its channel, and the application receives it.

import type { Slice } from '../../../cell/index.ts'
import { envelopeOf, isCall, TON_TRANSFER } from '../../base.ts'
import { Kind } from '../../kind.ts'
import { hexOf, readBody } from '../../reading.ts'
import { Picked, type Rule } from '../../rule.ts'
import { nextCall, openObject, type Packet, packetDetails, readCall, readPacket } from './object.ts'

const PREPARE = 0x22f3ac09
const EXECUTE = 0x97df404c
const EXECUTE_CALLBACK = 0xb7680bc6
const LOCKED = 0x0c7b8418
const RECEIVED = 0xcaae25a1

interface Receive {
  readonly sender: string | null
  readonly oapp: string | null
  readonly channel: string | null
  readonly packet: Packet
}

const LAYERZERO_RECEIVE = new Kind<Receive>({
  type: 'layerzero_receive',
  describe: ({ sender, oapp, channel, packet }) => ({
    roles: { source: sender, destination: oapp, destinationSecondary: channel },
    details: { sender, oapp, channel, layerzero_packet_data: packetDetails(packet) },
  }),
})

const readPacketCall = (body: Slice): Packet => readPacket(readCall(body))

export const layerzeroReceive: Rule = {
  name: 'layerzero/receive',
  begins: isCall(PREPARE),
  match(start) {
    const picked = new Picked(start)
    const execute = nextCall(start, EXECUTE, picked)
    const packet = execute === null ? null : readBody(execute, readPacketCall)
    if (execute === null || packet === null) return null
    const callback = nextCall(execute, EXECUTE_CALLBACK, picked)
    const locked = nextCall(callback, LOCKED, picked)
    const received = nextCall(locked, RECEIVED, picked)
    if (received === null) return null
    // What was sent too much.
    for (const block of [start, received]) picked.every(block, (next) => TON_TRANSFER.is(next))
    const isReceived = readBody(received, (body) => readCall(body).loadBit())
    const content = LAYERZERO_RECEIVE.content({
      sender: envelopeOf(start)?.source ?? null,
      oapp: envelopeOf(execute)?.destination ?? null,
      channel: envelopeOf(start)?.destination ?? null,
      packet,
    })
    return { blocks: picked.blocks, content, failed: isReceived !== true }
  },
}

const ULN_COMMIT = 0x28b97077
const CONNECTION_COMMIT = 0xf9d37b80
const ENDPOINT_COMMIT = 0x5dab749a
const CHANNEL_COMMIT = 0x5388cd88
const COMMIT_CALLBACK = 0x5e178f33

interface Commit {
  readonly sender: string | null
  readonly endpoint: string | null
  readonly uln: string | null
  readonly connection: string | null
  readonly channel: string | null
  readonly library: string | null
  readonly packet: Packet
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

/** The request names the connection the packet came by, and holds the packet. */
const readCommit = (body: Slice) => {
  body.skip(64).loadCoins()
  const request = openObject(body.loadRef())
  const uln = `0:${hexOf(request.loadBytes(32)).toUpperCase()}`
  return { uln, packet: readPacket(openObject(request.loadRef())) }
}

export const layerzeroCommit: Rule = {
  name: 'layerzero/commit',
  begins: isCall(ULN_COMMIT),
  match(start) {
    const requested = readBody(start, readCommit)
    const picked = new Picked(start)
    const toConnection = nextCall(start, CONNECTION_COMMIT, picked)
    const toEndpoint = nextCall(toConnection, ENDPOINT_COMMIT, picked)
    const toChannel = nextCall(toEndpoint, CHANNEL_COMMIT, picked)
    const callback = nextCall(toChannel, COMMIT_CALLBACK, picked)
    if (requested === null || callback === null) return null
    picked.every(callback, (block) => TON_TRANSFER.is(block))
    const content = LAYERZERO_COMMIT.content({
      sender: envelopeOf(start)?.source ?? null,
      endpoint: envelopeOf(toEndpoint)?.destination ?? null,
      connection: envelopeOf(toConnection)?.destination ?? null,
      channel: envelopeOf(toChannel)?.destination ?? null,
      library: envelopeOf(callback)?.destination ?? null,
      ...requested,
    })
    return { blocks: picked.blocks, content, failed: callback.failed }
  },
}

const DVN_VERIFY = 0xa0d51a8d
const PROXY_CALL = 0x09f047d9
const ULN_VERIFY = 0x994aaf4e
const CONNECTION_VERIFY = 0x4ec8f80a
const VERIFY_CALLBACK = 0x3cb38090

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
      nonce: String(nonce),
      status: STATUSES.get(status) ?? `unknown_${status}`,
      dvn,
      proxy,
      uln,
      uln_connection: connection,
    },
    accounts: [dvn, proxy, uln, connection],
  }),
})

const readStatus = (body: Slice) => {
  const status = openObject(readCall(body).loadRef())
  return { nonce: status.loadUintBig(64), status: status.loadUint(32) }
}

export const layerzeroVerify: Rule = {
  name: 'layerzero/verify',
  begins: isCall(DVN_VERIFY),
  match(start) {
    const picked = new Picked(start)
    const toProxy = nextCall(start, PROXY_CALL, picked)
    const toUln = nextCall(toProxy, ULN_VERIFY, picked)
    const toConnection = nextCall(toUln, CONNECTION_VERIFY, picked)
    const callback = nextCall(toConnection, VERIFY_CALLBACK, picked)
    const outcome = callback === null ? null : readBody(callback, readStatus)
    if (callback === null || outcome === null) return null
    picked.every(callback, (block) => TON_TRANSFER.is(block))
    const content = LAYERZERO_VERIFY.content({
      initiator: envelopeOf(start)?.source ?? null,
      dvn: envelopeOf(start)?.destination ?? null,
      proxy: envelopeOf(toProxy)?.destination ?? null,
      uln: envelopeOf(toUln)?.destination ?? null,
      connection: envelopeOf(toConnection)?.destination ?? null,
      ...outcome,
    })
    return { blocks: picked.blocks, content, failed: outcome.status !== SUCCEEDED }
  },
}
