// Proposals to change the configuration in a real TVM: what they cost, how sets of validators vote on them in turn, and what
// they change. Operations, answers and prices are those of the public contract.

import { Address, beginCell, Cell, type TupleReader } from '@ton/core'
import { describe, expect, test } from 'vitest'
import { validatorSetCell } from '../../../../server/devchain/config/index.ts'
import { contractCode } from '../../../../server/devchain/contracts/index.ts'
import { core, systemAddress } from '../actor.ts'
import { CONFIG, coin, ElectionScene, keyOf, said, T0, usualRules } from './electionScene.ts'

const wallet = systemAddress(Buffer.alloc(32, 0xaa))
const NEW = 0x6e565052
const ACCEPTED = 0xee565052
const VOTE = 0x566f7465
const VOTED = 0xd6745240
const value = beginCell().storeUint(99, 32).endCell()
const params = (numbers: readonly number[]) =>
  numbers
    .reduce((builder, one, at) => builder.storeUint(one, at < 4 ? 8 : 32), beginCell().storeUint(0x36, 8))
    .endCell()

interface Setup {
  readonly wins?: number
  readonly losses?: number
  readonly rounds?: number
}
/** Kept for 1000 to 5000 seconds, a nanoton per bit and 500 per cell. */
const voting = ({ wins = 2, losses = 2, rounds = 6 }: Setup) => params([1, rounds, wins, losses, 1000, 5000, 1, 500])

/** Four validators of these keys, each a quarter of the weight. */
const set = (since: number, until: number, keys: readonly number[]) => {
  const members = keys.map((key) => ({
    publicKey: keyOf(key).publicKey,
    weight: 100n,
    adnlAddress: new Uint8Array(32),
  }))
  return core(validatorSetCell(T0 + since, T0 + until, members))
}

/** Keys 1 to 4 are the current validators, 5 to 8 those from +600 on. */
async function begin(setup: Setup = {}): Promise<ElectionScene> {
  const parameters = new Map([
    [11, beginCell().storeUint(0x91, 8).storeRef(voting(setup)).storeRef(voting(setup)).endCell()],
    [34, set(-600, 600, [1, 2, 3, 4])],
    [36, set(600, 9000, [5, 6, 7, 8])],
  ])
  return await ElectionScene.begin({ ...usualRules, parameters })
}

interface Proposal {
  readonly index?: number
  readonly content?: Cell | null
  readonly hash?: bigint | null
}
const proposalCell = ({ index = 77, content = value, hash = null }: Proposal = {}): Cell => {
  const builder = beginCell().storeUint(0xf3, 8).storeInt(index, 32).storeMaybeRef(content)
  return (hash === null ? builder.storeBit(0) : builder.storeBit(1).storeUint(hash, 256)).endCell()
}

interface Registration extends Proposal {
  readonly seconds?: number
  readonly critical?: boolean
  readonly worth?: bigint
  readonly from?: Address
}

function propose(scene: ElectionScene, parts: Registration = {}) {
  const { seconds = 2000, critical = false, worth = 10n * coin, from = wallet } = parts
  const body = said(NEW).storeUint(seconds, 32).storeRef(proposalCell(parts)).storeBit(critical).endCell()
  const [answer] = scene.send(from, CONFIG, worth, body)
  return { op: answer?.op, value: answer?.value }
}

const PRICE = 2000n * (1024n + 32n + 2n * 500n)

function signedVote(key: number, index: number, proposal: Cell): Cell {
  const text = beginCell().storeUint(0x566f7445, 32).storeUint(index, 16).storeBuffer(proposal.hash()).endCell()
  const signature = keyOf(key).sign(text.bits.subbuffer(0, text.bits.length) ?? Buffer.alloc(0))
  return said(VOTE).storeBuffer(signature).storeSlice(text.beginParse()).endCell()
}

/** The result of a vote: of the validator with this key, at its place in the set. */
function vote(scene: ElectionScene, key: number, proposal = proposalCell(), index = (key - 1) % 4): number {
  const [answer] = scene.send(wallet, CONFIG, coin, signedVote(key, index, proposal))
  return (answer?.op ?? 0) - VOTED
}

function show(scene: ElectionScene, proposal = proposalCell()) {
  const hash = BigInt(`0x${proposal.hash().toString('hex')}`)
  const stack = scene.config.get('get_proposal', [{ type: 'int', value: hash }])
  if (stack.peek().type === 'null') return null
  const read: TupleReader = stack.readTuple()
  const expires = read.readNumber() - T0
  const critical = read.readBoolean()
  read.skip(2)
  const voters = read.readLispList().map((one) => (one.type === 'int' ? Number(one.value) : null))
  const [missing, rounds, losses, wins] = [0, 1, 2, 3].map(() => read.readNumber())
  return { expires, critical, voters, missing, rounds, losses, wins }
}

/** The next set's term begins. */
function nextTerm(scene: ElectionScene): void {
  scene.at(600)
  scene.run()
}

describe('registration', () => {
  test('default: the price stays, the rest comes back', async () => {
    const scene = await begin()
    const before = scene.config.balance
    expect(propose(scene)).toEqual({ op: ACCEPTED, value: 10n * coin - PRICE })
    expect(scene.config.balance - before).toBe(PRICE)
    expect(show(scene)).toEqual({
      expires: 2000,
      critical: false,
      voters: [],
      missing: 300,
      rounds: 6,
      losses: 0,
      wins: 0,
    })
  })

  test('behavior: a time of expiry may be given as such, and is cut to the longest', async () => {
    const scene = await begin()
    expect(propose(scene, { seconds: T0 + 9999 }).op).toBe(ACCEPTED)
    expect(show(scene)?.expires).toBe(5000)
  })

  test('behavior: the same again lasts longer, for the price of what it gains', async () => {
    const scene = await begin()
    propose(scene)
    vote(scene, 1)
    expect(propose(scene, { seconds: 3000 })).toEqual({
      op: ACCEPTED,
      value: 10n * coin - (PRICE / 2000n) * (1000n + 16384n),
    })
    expect(show(scene)).toMatchObject({ expires: 3000, voters: [0] })
    expect(propose(scene, { seconds: 3000 }).op).toBe(0xc16c7245)
    expect(propose(scene, { seconds: 4000, critical: true }).op).toBe(0xc3726955)
  })

  const deep = (depth: number): Cell =>
    depth === 0
      ? Cell.EMPTY
      : beginCell()
          .storeRef(deep(depth - 1))
          .endCell()
  test.each<[string, number, Registration]>([
    ['for a value that is not the current one', 0xe2646356, { hash: 5n }],
    ['about a mandatory parameter whose value is not named', 0xcd506e6c, { index: 15, critical: true }],
    ['of a value that is too deep', 0xc2616456, { content: deep(128) }],
    ['about a critical parameter that is not marked so', 0xc3726954, { index: 17 }],
    ['for too short a time', 0xc5787069, { seconds: 999 }],
    ['with too little value', 0xf0617924, { worth: PRICE + (1n << 30n) - 1n }],
  ])('error: a proposal %s', async (_, op, parts) => {
    const scene = await begin()
    const { data } = scene.config
    const hash = BigInt(`0x${scene.parameter(17)?.hash().toString('hex')}`)
    const more = parts.index === 17 ? { ...parts, hash } : parts
    expect(propose(scene, more)).toEqual({ op, value: parts.worth ?? 10n * coin })
    expect(scene.config.data.equals(data)).toBe(true)
  })

  test('error: from the basechain nothing is taken, as with the public contract', async () => {
    const scene = await begin()
    expect(propose(scene, { from: new Address(0, wallet.hash) })).toEqual({ op: undefined, value: undefined })
    expect(show(scene)).toBeNull()
  })
})

describe('votes', () => {
  test('default: more than three quarters of the weight win a round, and so many rounds the proposal', async () => {
    const scene = await begin()
    propose(scene)
    expect([1, 2, 3].map((key) => vote(scene, key))).toEqual([2, 2, 2])
    expect(show(scene)).toMatchObject({ voters: [0, 1, 2], missing: 0, wins: 0 })
    expect([vote(scene, 3), vote(scene, 4)]).toEqual([-2, 2])
    expect(show(scene)).toMatchObject({ missing: -100, rounds: 6, losses: 0, wins: 1 })
    nextTerm(scene)
    expect([5, 6, 7].map((key) => vote(scene, key))).toEqual([2, 2, 2])
    expect(show(scene)).toMatchObject({ voters: [0, 1, 2], rounds: 5, losses: 0, wins: 1 })
    expect(scene.parameter(77)).toBeUndefined()
    expect(vote(scene, 8)).toBe(6)
    expect(scene.parameter(77)?.equals(value)).toBe(true)
    expect([show(scene), vote(scene, 8)]).toEqual([null, -1])
  })

  test('behavior: a lost round is counted by a block, without a vote', async () => {
    const scene = await begin()
    propose(scene)
    vote(scene, 1)
    nextTerm(scene)
    for (let blocks = 0; blocks < 200 && show(scene)?.losses === 0; blocks++) scene.review(blocks)
    expect(show(scene)).toMatchObject({ voters: [], missing: 300, rounds: 5, losses: 1, wins: 0 })
  })

  test.each<[string, Setup]>([
    ['has lost too often', { losses: 0 }],
    ['has no further round', { rounds: 0 }],
  ])('behavior: what %s is forgotten', async (_, setup) => {
    const scene = await begin(setup)
    propose(scene)
    nextTerm(scene)
    expect(vote(scene, 5)).toBe(-1)
    expect(show(scene)).toBeNull()
  })

  test('behavior: what has expired is forgotten', async () => {
    const scene = await begin()
    propose(scene)
    scene.at(2000)
    expect(vote(scene, 1)).toBe(-1)
    expect(show(scene)).toBeNull()
  })

  test('behavior: nothing changes when the value is another one by then', async () => {
    const scene = await begin({ wins: 1 })
    const other = proposalCell({ content: Cell.EMPTY })
    const empty = proposalCell({ hash: 0n })
    propose(scene, { content: Cell.EMPTY })
    propose(scene, { hash: 0n })
    expect([1, 2, 3, 4].map((key) => vote(scene, key, other))).toEqual([2, 2, 2, 6])
    expect([1, 2, 3, 4].map((key) => vote(scene, key, empty))).toEqual([2, 2, 2, 6])
    expect(scene.parameter(77)?.equals(Cell.EMPTY)).toBe(true)
  })

  test.each<[string, string, () => Cell]>([
    ['another key', '34', () => signedVote(2, 0, proposalCell())],
    ['an index beyond the set', '41', () => signedVote(1, 4, proposalCell())],
  ])('error: %s', async (_, code, body) => {
    const scene = await begin()
    propose(scene)
    expect(() => scene.send(wallet, CONFIG, coin, body())).toThrow(`Refused with ${code}`)
  })

  test('behavior: as a message from outside, once', async () => {
    const scene = await begin({ wins: 1 })
    propose(scene)
    const external = (key: number, seqno: number) => {
      const text = beginCell()
        .storeUint(VOTE, 32)
        .storeUint(seqno, 32)
        .storeUint(T0 + 60, 32)
      const signed = text
        .storeUint((key - 1) % 4, 16)
        .storeBuffer(proposalCell().hash())
        .endCell()
      const signature = keyOf(key).sign(signed.bits.subbuffer(0, signed.bits.length) ?? Buffer.alloc(0))
      const body = beginCell().storeBuffer(signature).storeSlice(signed.beginParse()).endCell()
      return scene.config.external(body).refused
    }
    expect([external(1, 0), external(1, 0), external(2, 1), external(7, 2), external(3, 2)]).toEqual([
      false,
      33,
      false,
      34,
      false,
    ])
    expect(show(scene)?.voters).toEqual([0, 1, 2])
    expect(external(4, 3)).toBe(false)
    expect(scene.parameter(77)?.equals(value)).toBe(true)
  })
})

describe('what changes with the contracts', () => {
  const accept = (scene: ElectionScene, parts: Registration) => {
    expect(propose(scene, { critical: true, ...parts }).op).toBe(ACCEPTED)
    return [1, 2, 3, 4].map((key) => vote(scene, key, proposalCell(parts)))
  }
  const codeCell = () =>
    beginCell()
      .storeRef(core(contractCode('faucet')))
      .endCell()
  const hashOf = (code: Cell | null | undefined) => code?.hash().toString('hex')

  test('the code of the configuration contract', async () => {
    const scene = await begin({ wins: 1 })
    expect(accept(scene, { index: -1000, content: codeCell() })).toEqual([2, 2, 2, 7])
    expect(hashOf(scene.config.state.state.code)).toBe(contractCode('faucet').hashHex())
  })

  test('the code of the elector', async () => {
    const scene = await begin({ wins: 1 })
    expect(accept(scene, { index: -1001, content: codeCell() })).toEqual([2, 2, 2, 7])
    expect(hashOf(scene.elector.state.state.code)).toBe(contractCode('faucet').hashHex())
  })

  test('the key of the owner', async () => {
    const scene = await begin({ wins: 1 })
    accept(scene, { index: -999, content: beginCell().storeUint(5, 256).endCell() })
    expect(scene.config.get('get_public_key').readBigNumber()).toBe(5n)
  })

  test('a parameter that is removed', async () => {
    const scene = await begin({ wins: 1 })
    accept(scene, { content: Cell.EMPTY })
    expect(scene.parameter(77)).toBeDefined()
    accept(scene, { content: null })
    expect(scene.parameter(77)).toBeUndefined()
  })
})
