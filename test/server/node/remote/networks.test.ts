import { describe, expect, test } from 'vitest'
import { publicStart, startOf } from '../../../../server/node/index.ts'
import type { NetworkFacts } from '../../../../server/node/remote/index.ts'
import { publicNetworks } from '../../../../server/node/remote/networks.ts'

const { mainnet, testnet } = publicNetworks
const later = { ...mainnet.init, seqno: mainnet.init.seqno + 1 }

describe('where trust starts', () => {
  test('behavior: at the newest block that is known for certain', () => {
    expect(publicStart('mainnet')).toEqual({ zerostate: mainnet.zerostate, block: mainnet.init })
    expect(publicStart('testnet')).toEqual({ zerostate: testnet.zerostate, block: testnet.init })
    const fork = { ...mainnet.init, seqno: 50_000_000 }
    expect(startOf({ ...mainnet, hardForks: [...mainnet.hardForks, fork] }).block).toBe(fork)
    expect(startOf({ ...mainnet, hardForks: [], init: null }).block).toBe(mainnet.zerostate)
  })

  test('behavior: hashes have 32 bytes', () => {
    const ids = Object.values<NetworkFacts>(publicNetworks).flatMap(({ zerostate, hardForks, init }) => [
      zerostate,
      ...hardForks,
      ...(init === null ? [] : [init]),
    ])
    expect(ids.map(({ rootHash, fileHash }) => [rootHash.length, fileHash.length])).toEqual(ids.map(() => [32, 32]))
  })

  test('behavior: a newer block of a configuration counts when its source is trusted', () => {
    const given = { ...mainnet, init: later }
    expect(publicStart('mainnet', given).block).toBe(mainnet.init)
    expect(publicStart('mainnet', given, { isGivenTrusted: true }).block).toBe(later)
    const older = { ...mainnet, init: { ...mainnet.init, seqno: 1 } }
    expect(publicStart('mainnet', older, { isGivenTrusted: true }).block).toBe(mainnet.init)
  })

  test('error: a configuration of another network', () => {
    expect(() => publicStart('mainnet', testnet)).toThrow('this configuration is one of another network')
  })
})
