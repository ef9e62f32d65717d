import { beginCell, type Cell } from '@ton/core'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  linkPart,
  nftCollectionInit,
  nftItemInit,
  nftMintBody,
  nftStaticDataBody,
  nftTransferBody,
  offChainContent,
  soulboundDestroyBody,
  soulboundProveBody,
  soulboundRequestOwnerBody,
  soulboundRevokeBody,
  soulboundTakeExcessBody,
} from '../../../../server/demo/contracts/index.ts'
import { commentBody } from '../../../../server/devchain/contracts/index.ts'
import type { AccountId } from '../../../../server/node/index.ts'
import type { Emulator } from '../../../../server/tvm/index.ts'
import { core, genesisTime, startTvm } from '../../devchain/actor.ts'
import { bodyOf, carried, coin, Network, person, raw, stepsOf } from '../../devchain/contracts/network.ts'

const university = person(1)
const alice = person(2)
const verifier = person(3)
const authority = person(4)
const stranger = person(9)
const collection = nftCollectionInit({
  owner: university,
  content: offChainContent('https://sbt.test/'),
  commonLink: 'https://sbt.test/',
  royalty: { numerator: 0, denominator: 1, destination: university },
  itemKind: 'nft/soulbound',
})
const diploma = nftItemInit(collection.address, 0n, 'nft/soulbound').address
const content = linkPart('diploma.json')
const payload = commentBody('let me in')

let executor: Emulator
let network: Network

beforeAll(async () => {
  executor = await startTvm()
})
beforeEach(() => {
  network = new Network(executor)
  network.send({ from: university, to: collection })
  mint(0n, { authority })
})

function mint(index: bigint, more: { authority?: AccountId } = {}) {
  const body = nftMintBody(1n, index, { owner: alice, content, value: coin / 10n, ...more })
  network.send({ from: university, to: collection.address, body })
}
const send = (from: AccountId, body: ReturnType<typeof soulboundRevokeBody>) =>
  network.send({ from, to: diploma, body })
const question = { queryId: 6n, to: verifier, payload, withContent: true }
const nftData = () => network.get(diploma, 'get_nft_data')
const authorityNow = () => network.get(diploma, 'get_authority_address').readAddressOpt()

describe('a soulbound item', () => {
  test('default: has an owner, an authority, and is not revoked', () => {
    const data = nftData()
    expect([data.readBoolean(), data.readNumber(), data.readAddress().toRawString()]).toEqual([
      true,
      0,
      raw(collection.address),
    ])
    expect([data.readAddress().toRawString(), data.readCell().equals(core(content))]).toEqual([raw(alice), true])
    expect(authorityNow()?.toRawString()).toBe(raw(authority))
    expect(network.get(diploma, 'get_revoked_time').readNumber()).toBe(0)
  })

  test('behavior: without an authority no caller can revoke it', () => {
    mint(1n)
    const { address } = nftItemInit(collection.address, 1n, 'nft/soulbound')
    expect(network.get(address, 'get_authority_address').readAddressOpt()).toBeNull()
    const events = network.send({ from: authority, to: address, body: soulboundRevokeBody(1n) })
    expect(stepsOf(events)).toEqual(['failed 401', 'bounced'])
  })

  test('error: is never transferred', () => {
    const body = nftTransferBody({ queryId: 1n, to: verifier, responseTo: alice })
    expect(stepsOf(send(alice, body))).toEqual(['failed 413', 'bounced'])
  })

  test('default: the owner proves it to an account', () => {
    const events = send(alice, soulboundProveBody(question))
    const { queryId, body, to } = bodyOf(events, 0x0524c7ae)
    expect([queryId, to, body.loadUintBig(256), body.loadAddress().toRawString()]).toEqual([
      6n,
      raw(verifier),
      0n,
      raw(alice),
    ])
    expect([body.loadRef().equals(core(payload)), body.loadUint(64)]).toEqual([true, 0])
    expect(body.loadMaybeRef()?.equals(core(content))).toBe(true)
    expect(stepsOf(send(stranger, soulboundProveBody(question)))).toEqual(['failed 401', 'bounced'])
  })

  test('default: anybody asks who the owner is', () => {
    const events = send(stranger, soulboundRequestOwnerBody({ ...question, withContent: false }))
    const { queryId, body, to } = bodyOf(events, 0x0dd607e3)
    expect([queryId, to, body.loadUintBig(256)]).toEqual([6n, raw(verifier), 0n])
    expect([body.loadAddress().toRawString(), body.loadAddress().toRawString()]).toEqual([raw(stranger), raw(alice)])
    expect([body.loadRef().equals(core(payload)), body.loadUint(64), body.loadMaybeRef()]).toEqual([true, 0, null])
  })

  test('default: the authority revokes it once, and it says so', () => {
    expect(stepsOf(send(stranger, soulboundRevokeBody(1n)))).toEqual(['failed 401', 'bounced'])
    expect(stepsOf(send(alice, soulboundRevokeBody(1n)))).toEqual(['failed 401', 'bounced'])
    network.now = genesisTime + 100
    send(authority, soulboundRevokeBody(1n))
    expect(network.get(diploma, 'get_revoked_time').readNumber()).toBe(genesisTime + 100)
    expect(stepsOf(send(authority, soulboundRevokeBody(1n)))).toEqual(['failed 403', 'bounced'])
    const { body } = bodyOf(send(alice, soulboundProveBody(question)), 0x0524c7ae)
    body.skip(256 + 267)
    expect(body.loadUint(64)).toBe(genesisTime + 100)
  })

  test('default: the owner destroys it and takes its TON', () => {
    expect(stepsOf(send(stranger, soulboundDestroyBody(1n)))).toEqual(['failed 401', 'bounced'])
    const events = send(alice, soulboundDestroyBody(1n))
    expect(stepsOf(events)).toEqual(['0x1f04537a', '0xd53276db'])
    expect([carried(events, 0xd53276db) > coin, network.balance(diploma)]).toEqual([true, 0n])
    const data = nftData()
    data.skip(3)
    expect([data.readAddressOpt(), authorityNow()]).toEqual([null, null])
    expect(stepsOf(send(alice, soulboundProveBody(question)))[0]).toBe('failed 401')
    expect(stepsOf(send(authority, soulboundRevokeBody(1n)))[0]).toBe('failed 401')
  })

  test('default: the owner takes what storage does not need', () => {
    network.send({ from: stranger, to: diploma, value: 3n * coin })
    expect(stepsOf(send(stranger, soulboundTakeExcessBody(1n)))).toEqual(['failed 401', 'bounced'])
    expect(carried(send(alice, soulboundTakeExcessBody(1n)), 0xd53276db)).toBeGreaterThan(4n * coin)
    expect(network.balance(diploma)).toBe(coin / 50n)
  })

  test('behavior: says who it is, and takes coins', () => {
    expect(bodyOf(send(stranger, nftStaticDataBody(3n)), 0x8b771735).queryId).toBe(3n)
    expect(stepsOf(network.send({ from: stranger, to: diploma }))).toEqual(['0x0'])
  })

  test.each([
    ['an unknown operation', beginCell().storeUint(0x12345678, 32).storeUint(0, 64).endCell()],
    ['half a question', beginCell().storeUint(0x04ded148, 32).storeUint(0, 64).endCell()],
    [
      'a question without its payload',
      beginCell().storeUint(0xd0c3bfea, 32).storeUint(0, 64).storeAddress(null).endCell(),
    ],
  ])('error: %s', (_, body: Cell) => {
    expect(stepsOf(network.send({ from: alice, to: diploma, body }))[1]).toBe('bounced')
  })
})
