import { generateKeyPairSync, sign } from 'node:crypto'
import { type Address, beginCell, Cell, Dictionary } from '@ton/core'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { validatorSetCell } from '../../../../server/devchain/config/index.ts'
import {
  CONFIG_ACCOUNT,
  type ConfigChange,
  configRequest,
  contractCode,
  ELECTOR_ACCOUNT,
  systemAccounts,
} from '../../../../server/devchain/contracts/index.ts'
import type { Emulator } from '../../../../server/tvm/index.ts'
import {
  Actor,
  computed,
  core,
  exitCode,
  genesisRoot,
  genesisTime,
  own,
  sent,
  startTvm,
  systemAddress,
} from '../actor.ts'

const newKey = () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)
  return { publicKey: new Uint8Array(raw), sign: (bytes: Uint8Array) => sign(null, bytes, privateKey) }
}
const owner = newKey()
const elector = systemAddress(ELECTOR_ACCOUNT)
const wallet = systemAddress(new Uint8Array(32).fill(0xaa))
const value = own(beginCell().storeUint(99, 32).endCell())
let executor: Emulator
let account: Actor

beforeAll(async () => {
  executor = await startTvm()
})
beforeEach(() => {
  account = fresh()
})

function fresh(): Actor {
  const [, { code, data, hash }] = systemAccounts(genesisRoot(), owner.publicKey)
  return new Actor(executor, { address: systemAddress(hash), code, data, tickTock: true })
}

interface Wrong {
  readonly seqno?: number
  readonly validUntil?: number
  readonly by?: typeof owner
}

function ask(change: ConfigChange, { seqno = 0, validUntil = genesisTime + 60, by = owner }: Wrong = {}) {
  return account.message(configRequest({ change, seqno, validUntil, sign: by.sign }))
}

/** As a block producer reads it: the first reference of the data. */
const dictionary = () =>
  account.data.beginParse().loadRef().beginParse().loadDictDirect(Dictionary.Keys.Int(32), Dictionary.Values.Cell())
const parameter = (index: number) => dictionary().get(index)?.hash().toString('hex')

describe('the owner', () => {
  test('default: changes one parameter', () => {
    const before = dictionary()
    const transaction = computed(ask({ kind: 'parameter', index: 8, value }))
    expect(exitCode(transaction)).toBe(0)
    expect(transaction.totalFees.coins).toBe(0n)
    expect(parameter(8)).toBe(value.hashHex())
    expect(dictionary().size).toBe(before.size)
    expect(account.get('seqno').readNumber()).toBe(1)
  })

  test('behavior: adds one of negative index, and removes it', () => {
    computed(ask({ kind: 'parameter', index: -1000, value }))
    expect(parameter(-1000)).toBe(value.hashHex())
    computed(ask({ kind: 'parameter', index: -1000, value: null }, { seqno: 1 }))
    expect(account.data.refs[0]?.equals(core(genesisRoot()))).toBe(true)
  })

  test('behavior: replaces the code', () => {
    computed(ask({ kind: 'code', code: contractCode('elector') }))
    expect(account.state.state.code?.hash().toString('hex')).toBe(contractCode('elector').hashHex())
  })

  test('behavior: hands over to another key', () => {
    const next = newKey()
    computed(ask({ kind: 'owner', publicKey: next.publicKey }))
    expect(account.get('get_public_key').readBigNumber()).toBe(
      BigInt(`0x${Buffer.from(next.publicKey).toString('hex')}`),
    )
    expect(ask({ kind: 'parameter', index: 8, value }, { seqno: 1 })).toEqual({ refused: 34 })
    computed(ask({ kind: 'parameter', index: 8, value }, { seqno: 1, by: next }))
  })

  test.each<[string, number, Wrong]>([
    ['another key', 34, { by: newKey() }],
    ['a seqno ahead', 33, { seqno: 1 }],
    ['an old request', 35, { validUntil: genesisTime }],
  ])('error: %s', (_, refused, wrong) => {
    const before = account.data
    expect(ask({ kind: 'parameter', index: 8, value }, wrong)).toEqual({ refused })
    expect(account.data.equals(before)).toBe(true)
  })

  test('error: a repeated request', () => {
    computed(ask({ kind: 'parameter', index: 8, value }))
    expect(ask({ kind: 'parameter', index: 8, value })).toEqual({ refused: 33 })
  })

  test.each([0, 9, 34])('error: parameter %i, which a chain cannot be without, is not removed', (index) => {
    expect(ask({ kind: 'parameter', index, value: null })).toEqual({ refused: 37 })
  })

  test('error: an unknown action, and one with something behind it', () => {
    const request = (action: number, tail: Cell) => {
      const signed = beginCell()
        .storeUint(action, 32)
        .storeUint(0, 32)
        .storeUint(genesisTime + 60, 32)
        .storeSlice(tail.beginParse())
      const signature = Buffer.from(owner.sign(signed.endCell().hash()))
      return account.external(beginCell().storeBuffer(signature).storeBuilder(signed).endCell())
    }
    expect(request(1, Cell.EMPTY)).toEqual({ refused: 36 })
    const tail = beginCell().storeInt(8, 32).storeRef(core(value)).storeRef(Cell.EMPTY).endCell()
    expect(request(0x43665021, tail)).toEqual({ refused: 9 })
    expect(request(0x43665021, Cell.EMPTY)).toEqual({ refused: 9 })
  })

  test.each([0, 8, 511, 600])('error: a body of %i bits', (bits) => {
    const body = beginCell()
    for (let bit = 0; bit < bits; bit++) body.storeBit(bit & 1)
    expect(account.external(body.endCell())).toEqual({ refused: 9 })
  })
})

const member = { publicKey: new Uint8Array(32).fill(8), weight: 5n, adnlAddress: new Uint8Array(32) }
const set = (since: number, until = since + 1000) => core(validatorSetCell(since, until, [member]))

function propose(vset: Cell, from: Address = elector) {
  const body = beginCell().storeUint(0x4e565354, 32).storeUint(77, 64).storeRef(vset).endCell()
  const [answer] = sent(account.receive({ from, body, value: 1n << 30n }))
  const slice = answer?.body.beginParse()
  return { op: slice?.loadUint(32), queryId: slice?.loadUint(64), to: answer?.to, value: answer?.value }
}

describe('validator sets', () => {
  const accepted = 0xee764f4b
  const refused = 0xee764f6f
  const next = set(genesisTime + 100)

  test('default: the elector hands in the next one, which takes over in its time', () => {
    const current = parameter(34)
    const { value: returned, ...answer } = propose(next)
    expect(answer).toEqual({ op: accepted, queryId: 77, to: elector.toRawString() })
    expect(returned).toBeGreaterThan(1_000_000_000n)
    expect(parameter(36)).toBe(next.hash().toString('hex'))

    account.now = genesisTime + 99
    account.special('tock')
    expect(parameter(34)).toBe(current)

    account.now = genesisTime + 100
    expect(exitCode(account.special('tock'))).toBe(0)
    expect([parameter(32), parameter(34), parameter(36)]).toEqual([current, next.hash().toString('hex'), undefined])

    const { data } = account
    account.special('tick')
    expect(account.data.equals(data)).toBe(true)
  })

  test('behavior: a later one replaces the one before', () => {
    propose(next)
    const other = set(genesisTime + 200)
    expect(propose(other).op).toBe(accepted)
    expect(parameter(36)).toBe(other.hash().toString('hex'))
  })

  test.each<[string, Cell, Address]>([
    ['from another account', next, wallet],
    ['that has begun', set(genesisTime), elector],
    ['that ends before it begins', set(genesisTime + 100, genesisTime + 50), elector],
    ['of an older form', beginCell().storeUint(0x11, 8).storeUint(0, 200).endCell(), elector],
    [
      'without members',
      beginCell()
        .storeUint(0x12, 8)
        .storeUint(genesisTime + 1, 32)
        .storeUint(genesisTime + 2, 32)
        .storeUint(0, 97)
        .endCell(),
      elector,
    ],
    ['that is cut short', beginCell().storeUint(0x12, 8).endCell(), elector],
  ])('error: a set %s', (_, vset, from) => {
    const before = account.data
    expect(propose(vset, from)).toMatchObject({ op: refused, queryId: 77, to: from.toRawString() })
    expect(account.data.equals(before)).toBe(true)
  })

  test.each([
    ['nothing', Cell.EMPTY],
    ['a short set', beginCell().storeUint(0x12, 8).endCell()],
    ['an older form', beginCell().storeUint(0x11, 8).storeUint(0, 200).endCell()],
  ])('behavior: %s as the next set stops no block', (_, junk) => {
    computed(ask({ kind: 'parameter', index: 36, value: own(junk) }))
    const { data } = account
    expect(exitCode(account.special('tock'))).toBe(0)
    expect(account.data.equals(data)).toBe(true)
  })
})

describe('messages', () => {
  test.each([
    ['nothing', Cell.EMPTY],
    ['a comment', beginCell().storeUint(0, 32).storeStringTail('thanks').endCell()],
    ['an answer', beginCell().storeUint(0xf374484c, 32).storeUint(1, 64).endCell()],
  ])('behavior: coins with %s stay', (_, body) => {
    const before = account.balance
    expect(sent(account.receive({ from: wallet, value: 7n, body }))).toEqual([])
    expect(account.balance).toBe(before + 7n)
  })

  test('error: coins with an unknown operation go back', () => {
    const body = beginCell().storeUint(0x6e565053, 32).storeUint(1, 64).endCell()
    const transaction = account.receive({ from: wallet, value: 1_000_000_000n, body })
    expect(exitCode(transaction)).toBe(0xffff)
    expect(sent(transaction)).toMatchObject([{ to: wallet.toRawString() }])
  })
})

describe('get-methods', () => {
  const hash = 0xabcdn
  function withProposal() {
    const proposal = beginCell().storeUint(0xf3, 8).storeInt(-5, 32).storeMaybeRef(core(value)).storeBit(0).endCell()
    const voters = Dictionary.empty(Dictionary.Keys.Uint(16), Dictionary.Values.Uint(32)).set(3, 1).set(1, 2)
    const status = beginCell()
      .storeUint(0xce, 8)
      .storeUint(genesisTime + 9, 32)
      .storeRef(proposal)
      .storeBit(1)
      .storeDict(voters)
      .storeInt(-4n, 64)
      .storeUint(55, 256)
      .storeUint(6, 8)
      .storeUint(7, 8)
      .storeUint(8, 8)
      .endCell()
    const proposals = Dictionary.empty(Dictionary.Keys.BigUint(256), {
      serialize: (cell: Cell, builder) => builder.storeSlice(cell.beginParse()),
      parse: (slice) => slice.asCell(),
    }).set(hash, status)
    const data = account.data.beginParse()
    const parameters = data.loadRef()
    const head = data.loadBits(32 + 256)
    account.setData(beginCell().storeRef(parameters).storeBits(head).storeDict(proposals).endCell())
  }

  test('default: without proposals', () => {
    expect(account.get('seqno').readNumber()).toBe(0)
    expect(account.get('list_proposals').readLispList()).toEqual([])
    expect(account.get('get_proposal', [{ type: 'int', value: hash }]).pop().type).toBe('null')
  })

  test('behavior: a proposal in the form public wrappers read', () => {
    withProposal()
    const items = account.get('list_proposals').readLispList()
    expect(items).toHaveLength(1)
    const one = account.get('get_proposal', [{ type: 'int', value: hash }]).readTuple()
    expect([one.readNumber(), one.readBoolean()]).toEqual([genesisTime + 9, true])
    const content = one.readTuple()
    expect([content.readNumber(), content.readCell().hash().toString('hex'), content.readNumber()]).toEqual([
      -5,
      value.hashHex(),
      -1,
    ])
    expect(one.readBigNumber()).toBe(55n)
    expect(one.readLispList()).toEqual([
      { type: 'int', value: 1n },
      { type: 'int', value: 3n },
    ])
    expect([0, 1, 2, 3].map(() => one.readNumber())).toEqual([-4, 6, 8, 7])
    expect(items[0]).toMatchObject({ type: 'tuple', items: [{ type: 'int', value: hash }, { type: 'tuple' }] })
  })

  test('behavior: a proposal survives changes of parameters', () => {
    withProposal()
    computed(ask({ kind: 'parameter', index: 8, value }))
    expect(account.get('list_proposals').readLispList()).toHaveLength(1)
  })

  test.each([
    ['the documented example', 0n, 1_100_000n, 2_340_800_000n],
    ['at least the shortest time', 0n, 5n, 2_128_000_000n],
    ['critical', -1n, 5_000_000n, 21_280_000_000n],
    ['too long', 0n, 10_000_001n, -1n],
  ])('proposal_storage_price: %s', (_, critical, seconds, price) => {
    const args = [critical, seconds, 104n, 0n].map((int) => ({ type: 'int' as const, value: int }))
    expect(account.get('proposal_storage_price', args).readBigNumber()).toBe(price)
  })
})

test('facts for genesis: who runs by itself, where and when', () => {
  const facts = systemAccounts(genesisRoot(), owner.publicKey).map(({ name, workchain, hash, tick, tock }) => ({
    name,
    workchain,
    hash,
    tick,
    tock,
  }))
  expect(facts).toEqual([
    { name: 'elector', workchain: -1, hash: ELECTOR_ACCOUNT, tick: true, tock: false },
    { name: 'config', workchain: -1, hash: CONFIG_ACCOUNT, tick: false, tock: true },
  ])
})
