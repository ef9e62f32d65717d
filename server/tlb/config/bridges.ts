// Bridges to other chains. The embedded chain has none; forks of real networks do.

import { type Codec, type Dict, dictBytesKey, dictKind } from '../../cell/index.ts'
import { coins, dict, forms, hash, inRef, record, u8 } from './layout.ts'

const oraclesKind = dictKind(dictBytesKey(256), hash)

export interface OracleBridge {
  readonly bridgeAddress: Uint8Array
  readonly oracleMultisig: Uint8Array
  readonly oracles: Dict<Uint8Array, Uint8Array>
  readonly externalChainAddress: Uint8Array
}

export const oracleBridge: Codec<OracleBridge> = record({
  bridgeAddress: hash,
  oracleMultisig: hash,
  oracles: dict(oraclesKind),
  externalChainAddress: hash,
})

export interface JettonBridgePrices {
  readonly burnFee: bigint
  readonly mintFee: bigint
  readonly walletMinStorage: bigint
  readonly walletGas: bigint
  readonly minterMinStorage: bigint
  readonly discoverGas: bigint
}

const prices: Codec<JettonBridgePrices> = record({
  burnFee: coins,
  mintFee: coins,
  walletMinStorage: coins,
  walletGas: coins,
  minterMinStorage: coins,
  discoverGas: coins,
})

interface JettonBridgeBasics {
  readonly bridgeAddress: Uint8Array
  readonly oraclesAddress: Uint8Array
  readonly oracles: Dict<Uint8Array, Uint8Array>
  readonly stateFlags: number
}

export type JettonBridge =
  | ({ readonly form: 'v0'; readonly burnFee: bigint } & JettonBridgeBasics)
  | ({
      readonly form: 'v1'
      readonly prices: JettonBridgePrices
      readonly externalChainAddress: Uint8Array
    } & JettonBridgeBasics)

const basics = { bridgeAddress: hash, oraclesAddress: hash, oracles: dict(oraclesKind), stateFlags: u8 }

export const jettonBridge: Codec<JettonBridge> = forms<JettonBridge>('JettonBridgeParams', 8, {
  v0: [0, record({ ...basics, burnFee: coins })],
  v1: [1, record({ ...basics, prices: inRef(prices), externalChainAddress: hash })],
})
