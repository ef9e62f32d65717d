// A trace with a transaction that sends 254 messages of thousands of cells, as anybody can make one: its text has 80 MB, and no
// reader could take it.

import { Address, beginCell as begin, type Cell, internal, storeMessageRelaxed } from '@ton/core'
import { expect, test } from 'vitest'
import { inOnePiece, readBoc, writeBoc } from '../../../server/cell/index.ts'
import type { LiveTrace } from '../../../server/methods/index.ts'
import { textOfMembers } from '../../../server/streaming/jsonText.ts'
import { actionNotices } from '../../../server/streaming/notifications/actions.ts'
import { trace as traceNotices } from '../../../server/streaming/notifications/trace.ts'
import { transactionNotices } from '../../../server/streaming/notifications/transactions.ts'
import { SharedTexts } from '../../../server/streaming/sharedTexts.ts'
import type { Subscription } from '../../../server/streaming/streamSubscription.ts'
import { treeOf } from '../../setup/cellTree.ts'
import { filledRows } from '../../setup/filler.ts'
import { withMessages } from '../../setup/withMessages.ts'

const SENT = 254
/** What a reader may leave unread. */
const MOST_BYTES = 1 << 20

const [filled] = filledRows({ transactions: 400, accounts: 25, atOnce: 20 })
if (filled === undefined) throw new Error('nothing was filled')
const all = withMessages(filled.transactions, filled.messages).map((one) => ({ ...one, before: null, after: null }))
const usual = all.find(({ inMessage, outMessages }) => inMessage !== null && outMessages.length > 1)
const [sent] = usual?.outMessages ?? []
if (usual === undefined || sent === undefined) throw new Error('no transaction sent anything')

const tree = treeOf(5400)
const large = { ...sent, bodyHash: tree.hashBytes(), body: writeBoc(tree) }
const outMessages = [sent, ...Array.from({ length: SENT }, (_, i) => ({ ...large, hash: new Uint8Array(32).fill(i) }))]

const traceOf = (...found: LiveTrace['nodes'][number]['found'][]): LiveTrace => ({
  hash: usual.row.hash,
  hashNorm: usual.row.hash,
  traceId: usual.row.traceId,
  actions: [],
  isWhole: true,
  nodes: found.map((one) => ({ found: one, finality: 'finalized' })),
})

// The cast: nothing else of it is read.
const subscription = { actionTypes: null, supportedTypes: new Set(), types: new Set() } as unknown as Subscription

/** The members of a notification of some parts of a trace. */
function written(type: typeof traceNotices, trace: LiveTrace, parts: readonly number[]): string {
  const content = type.selector(trace, new SharedTexts()).write(subscription, parts)
  return textOfMembers(('members' in content ? content : inOnePiece(content)).members)
}

interface Message {
  readonly message_content: { readonly body: string } | null
}

test.each([transactionNotices, traceNotices])('$name: what a reader can take, without the large bodies', (type) => {
  const text = written(type, traceOf(usual, { ...usual, outMessages }), [0, 1])
  expect(text.length).toBeLessThan(MOST_BYTES)
  const transactions: { out_msgs: Message[] }[] = Object.values(JSON.parse(text).transactions)
  const messages = transactions.find(({ out_msgs }) => out_msgs.length > SENT)?.out_msgs ?? []
  expect(messages[0]?.message_content?.body).toBe(Buffer.from(sent.body).toString('base64'))
  expect(messages.slice(1).every((one) => one.message_content === null)).toBe(true)
})

test.each([transactionNotices, traceNotices])('$name: one large message is whole', (type) => {
  const text = written(type, traceOf({ ...usual, outMessages: [large] }), [0])
  const transactions: { out_msgs: Message[] }[] = Object.values(JSON.parse(text).transactions)
  expect(transactions[0]?.out_msgs[0]?.message_content?.body).toBe(Buffer.from(large.body).toString('base64'))
})

const message = (body: Cell): Cell =>
  begin()
    .store(storeMessageRelaxed(internal({ to: Address.parse(`0:${'AB'.repeat(32)}`), value: 1n, body })))
    .endCell()

/** A request of a wallet v5 that sends the same message sixteen times. */
function request(sent: Cell): Cell {
  let list = begin().endCell()
  for (let i = 0; i < 16; i++)
    list = begin().storeRef(list).storeUint(0x0ec3c86d, 32).storeUint(3, 8).storeRef(sent).endCell()
  const head = begin().storeUint(0x7369676e, 32).storeUint(0, 96).storeMaybeRef(list).storeBit(0)
  return head.storeBuffer(Buffer.alloc(64)).endCell()
}

test.each([transactionNotices, traceNotices])(
  '$name: small bodies that are long when decoded are left out too',
  (type) => {
    const comment = begin().storeUint(0, 32).storeStringTail('a').endCell()
    const body = readBoc(request(message(request(message(comment)))).toBoc())
    const bomb = { ...sent, bodyHash: body.hashBytes(), body: writeBoc(body) }
    expect(bomb.body.length).toBeLessThan(1024)
    const many = Array.from({ length: SENT }, (_, i) => ({ ...bomb, hash: new Uint8Array(32).fill(i) }))
    const text = written(type, traceOf({ ...usual, outMessages: many }), [0])
    expect(text.length).toBeLessThan(MOST_BYTES)
  },
)

// Each takes as long to decode as is allowed, and has no decoded form then.
test.each([transactionNotices, traceNotices])('$name: small bodies of very large trees are left out too', (type) => {
  const comment = begin().storeUint(0, 32).storeStringTail('a').endCell()
  const body = readBoc(request(message(request(message(request(message(comment)))))).toBoc())
  const bomb = { ...sent, bodyHash: body.hashBytes(), body: writeBoc(body) }
  expect(bomb.body.length).toBeLessThan(1024)
  const many = Array.from({ length: SENT }, (_, i) => ({ ...bomb, hash: new Uint8Array(32).fill(i) }))
  const text = written(type, traceOf({ ...usual, outMessages: [sent, ...many] }), [0])
  const [transaction]: { out_msgs: Message[] }[] = Object.values(JSON.parse(text).transactions)
  const [whole, ...others] = transaction?.out_msgs ?? []
  expect(whole?.message_content?.body).toBe(Buffer.from(sent.body).toString('base64'))
  expect(others.filter((one) => one.message_content !== null)).toEqual([])
})

// As anybody can send: a comment may have a megabyte, and a wallet sends 255 at once.
test.each([actionNotices, traceNotices])('$name: long comments of many transfers are left out', (type) => {
  const [short, long] = ['a short comment', 'x'.repeat(4096)]
  const actionOf = (comment: string, i: number) => ({
    row: {
      ...names,
      type: 'ton_transfer',
      actionId: new Uint8Array(32).fill(i),
      transactions: [],
      accounts: [usual.row.account],
      ancestorTypes: [],
      endLt: BigInt(i),
      startLt: BigInt(i),
      details: JSON.stringify({ source: null, value: '1', comment }),
    },
    finality: 'finalized',
  })
  const names = { traceId: usual.row.traceId, traceExternalHash: null, traceExternalHashNorm: null, traceEndLt: 1n }
  const commentsOf = (comments: readonly string[]) => {
    // The cast: what an action is shown by.
    const actions = comments.map(actionOf) as unknown as LiveTrace['actions']
    const own = { ...subscription, supportedTypes: new Set(['ton_transfer']) }
    const content = type.selector({ ...traceOf(), actions }, new SharedTexts()).write(own, [...actions.keys()])
    const text = textOfMembers(('members' in content ? content : inOnePiece(content)).members)
    expect(text.length).toBeLessThan(MOST_BYTES)
    const shown: { details: { comment: string | null } }[] = JSON.parse(text).actions
    return new Set(shown.map(({ details }) => details.comment))
  }
  expect(commentsOf([short, long])).toEqual(new Set([short, long]))
  expect(commentsOf([short, ...Array.from({ length: 1000 }, () => long)])).toEqual(new Set([short, null]))
})
