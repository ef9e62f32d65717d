// What may happen to a trace without having been recorded: each change is named, and makes one trace of another.

import { beginCell, type Cell } from '../../../../server/cell/index.ts'
import {
  bodyOf,
  bouncedBody,
  call,
  comment,
  internalBody,
  noticeBody,
  opcodeOfHop,
  orderedCell,
  renamedIn,
  transferBody,
  withAmount,
  withBody,
} from './bodies.ts'
import { type Hop, hopsOf, type Json, type MadeTrace, mapHops, replaceHop } from './tree.ts'
import { extensionBody, highloadBody, WALLET_REQUESTS } from './wallets.ts'

export type Change = readonly [name: string, made: MadeTrace]

const account = (digits: string): string => `0:${digits.padStart(64, '0')}`
const STRANGER = account('57A6')
const SIGNER = account('516E')
const ORDER = account('04DE')
const MASTER = account('7E77')
const WALLET_A = account('7EA')
const WALLET_B = account('7EB')

const EXCESS = 0xd53276db
const COIN = 1_000_000_000

/** A transaction that went well and sent nothing. */
const quiet = (of: string): Json => ({
  account: of,
  orig_status: 'active',
  end_status: 'active',
  total_fees: 1,
  descr: 'ord',
  aborted: false,
  destroyed: false,
  credit_first: true,
  is_tock: null,
  installed: null,
  compute_mode: 0,
  compute_exit_code: 0,
  compute_exit_arg: null,
  bounce: null,
  emulated: false,
})

/** A message between two accounts, received. */
function sent(source: string, destination: string, body: Cell, more: Json = {}): Hop {
  const plain: Json = {
    source,
    destination,
    value: COIN,
    fwd_fee: 1,
    ihr_fee: 0,
    ihr_disabled: true,
    bounce: true,
    bounced: false,
    import_fee: null,
    init_state_hash: null,
    value_extra_currencies: {},
    ...more,
  }
  return { message: withBody(plain, body), transaction: quiet(destination), sent: [] }
}

/** To the same contract, from outside. */
export const external = (to: string, body: Cell, sends: readonly Hop[]): Hop => {
  const message: Json = {
    source: null,
    destination: to,
    value: null,
    fwd_fee: null,
    ihr_fee: null,
    ihr_disabled: null,
    bounce: null,
    bounced: null,
    import_fee: 0,
    init_state_hash: null,
    value_extra_currencies: null,
  }
  return { message: withBody(message, body), transaction: quiet(to), sent: sends }
}

const accountOf = ({ transaction }: Hop): string => String(transaction?.account)

function bounceOf({ message }: Hop, body: Cell): Hop[] {
  if (message.bounce !== true) return []
  const source = String(message.destination)
  const destination = String(message.source)
  const value = Math.max(0, Number(message.value) - 5_000_000)
  return [sent(source, destination, bouncedBody(body), { value, bounce: false, bounced: true })]
}

const failedWith =
  (outcome: Json) =>
  (hop: Hop): Hop => ({
    ...hop,
    transaction: { ...hop.transaction, ...outcome, aborted: true, end_status: hop.transaction?.orig_status },
    sent: bounceOf(hop, bodyOf(hop)),
  })

const failed = failedWith({ compute_exit_code: 50, compute_mode: 0 })
/** There was nothing to pay the computation with. */
const starved = failedWith({ compute_exit_code: null, compute_mode: null })
const silent = (hop: Hop): Hop => ({ ...hop, sent: [] })

const withRoot = (made: MadeTrace, root: Hop): MadeTrace => ({ ...made, root })

const isInternal = ({ message, transaction }: Hop): boolean =>
  message.source !== null && message.destination !== null && transaction !== null

/** At every hop: it fails, has nothing to run on, sends nothing, is not there. */
function* mishaps(made: MadeTrace): Generator<Change> {
  for (const [i, hop] of hopsOf(made.root).entries()) {
    const at = (change: (hop: Hop) => Hop | null) => withRoot(made, replaceHop(made.root, hop, change))
    if (isInternal(hop)) {
      yield [`failed ${i}`, at(failed)]
      yield [`starved ${i}`, at(starved)]
    }
    if (hop.sent.length > 0) yield [`silent ${i}`, at(silent)]
    if (i > 0 && hop.sent.length > 0) yield [`cut ${i}`, at(() => null)]
  }
}

function* excesses(made: MadeTrace): Generator<Change> {
  const isExcess = (hop: Hop): boolean => opcodeOfHop(hop) === EXCESS
  const without = mapHops(made.root, (hop) => ({ ...hop, sent: hop.sent.filter((one) => !isExcess(one)) }))
  yield ['without excesses', withRoot(made, without)]
  const owner = accountOf(made.root)
  const excess = (from: string): Hop => sent(from, owner, call(EXCESS).end(), { bounce: false })
  const leaves = mapHops(made.root, (hop) =>
    hop.sent.length > 0 || !isInternal(hop) || isExcess(hop) ? hop : { ...hop, sent: [excess(accountOf(hop))] },
  )
  yield ['excesses at the ends', withRoot(made, leaves)]
  for (const [i, hop] of hopsOf(made.root).entries())
    if (isInternal(hop) && hop.sent.length > 0 && !isExcess(hop))
      yield [
        `excess from ${i}`,
        withRoot(
          made,
          replaceHop(made.root, hop, () => ({ ...hop, sent: [excess(accountOf(hop)), ...hop.sent] })),
        ),
      ]
}

const reversed = (made: MadeTrace): MadeTrace =>
  withRoot(
    made,
    mapHops(made.root, (hop) => ({ ...hop, sent: hop.sent.toReversed() })),
  )

const withAmounts = (made: MadeTrace, amount: bigint): MadeTrace =>
  withRoot(
    made,
    mapHops(made.root, (hop) => {
      const body = withAmount(bodyOf(hop), amount)
      return body === null ? hop : { ...hop, message: withBody(hop.message, body) }
    }),
  )

const withValues = (made: MadeTrace, value: number | string): MadeTrace =>
  withRoot(
    made,
    mapHops(made.root, (hop) => (isInternal(hop) ? { ...hop, message: { ...hop.message, value } } : hop)),
  )

function* amounts(made: MadeTrace): Generator<Change> {
  for (const [name, amount] of [
    ['zero', 0n],
    ['one', 1n],
    ['2^64', 2n ** 64n],
    ['2^120-1', 2n ** 120n - 1n],
  ] as const)
    yield [`jettons ${name}`, withAmounts(made, amount)]
  yield ['TON zero', withValues(made, 0)]
  yield ['TON huge', withValues(made, '4999999999000000000')]
}

/** The messages its wallet ordered, as cells; none where the trace begins with another contract. */
const orders = ({ root, interfaces }: MadeTrace): Cell[] =>
  root.message.source !== null || Object.keys(interfaces[accountOf(root)] ?? {}).length > 0
    ? []
    : root.sent.filter(isInternal).map((hop) => orderedCell(hop, bodyOf(hop)))

function* wallets(made: MadeTrace): Generator<Change> {
  const { root } = made
  const messages = orders(made)
  if (messages.length === 0) return
  for (const [version, request] of Object.entries(WALLET_REQUESTS)) {
    const requested = { ...root, message: withBody(root.message, request(messages)) }
    yield [`wallet ${version}`, withRoot(made, requested)]
    // Signed for a message inside the chain: from outside it is not taken at all.
    if (version !== 'v5internal') yield [`wallet ${version}, nothing sent`, withRoot(made, silent(requested))]
  }
}

/** The same messages, requested in another way than from outside. */
function* within(made: MadeTrace): Generator<Change> {
  const { root } = made
  const wallet = accountOf(root)
  const messages = orders(made)
  if (messages.length === 0) return
  const requested = (from: string, body: Cell, more?: Json): Hop => ({
    ...sent(from, wallet, body, more),
    sent: root.sent,
  })
  const request = beginCell().storeBytes(Buffer.alloc(64, 7)).storeUint(5, 32).end()
  const itself = requested(wallet, highloadBody(messages))
  yield ['in a highload wallet', withRoot(made, external(wallet, request, [itself]))]
  const extension = requested(SIGNER, extensionBody(messages))
  yield ['by an extension', withRoot(made, external(SIGNER, request, [extension]))]
  const plugin = requested(SIGNER, call(0x706c7567).storeCoins(1n).storeBit(0).end())
  yield ['by a plugin', withRoot(made, external(SIGNER, request, [plugin]))]
  const order = beginCell().end()
  const execution = call(0x75097f5d)
    .storeUint(3n, 256)
    .storeUint(1_800_000_000, 48)
    .storeUint(1, 8)
    .storeUint(9n, 256)
    .storeRef(order)
    .end()
  const executed = requested(ORDER, execution)
  const accepted = sent(ORDER, SIGNER, call(0x82609bf6).end())
  const approval = sent(SIGNER, ORDER, call(0xa762230f).storeUint(0, 8).end())
  const approved = { ...approval, sent: [accepted, executed] }
  yield ['in a multisig wallet', withRoot(made, external(SIGNER, request, [approved]))]
  const vesting = sent(
    SIGNER,
    wallet,
    call(0xa7733acd)
      .storeUint(3, 8)
      .storeRef(messages[0] ?? order)
      .end(),
  )
  const answer = sent(wallet, SIGNER, call(0xf7733acd).end())
  yield [
    'by a locked wallet',
    withRoot(made, external(SIGNER, request, [{ ...vesting, sent: [...root.sent.slice(0, 1), answer] }])),
  ]
}

/** Jettons of no part in the trace, and who holds them. */
const strangeWallets = (owner: string): MadeTrace['interfaces'] => {
  const held = (address: string, by: string) => ({
    JettonWallet: { balance: 0, address, owner: by, jetton: MASTER },
  })
  return { [WALLET_A]: held(WALLET_A, owner), [WALLET_B]: held(WALLET_B, STRANGER), [MASTER]: {}, [STRANGER]: {} }
}

function strangeTransfer(owner: string): Hop {
  const text = comment('by the way')
  const internal = sent(WALLET_A, WALLET_B, internalBody(5n, owner, text))
  const notice = sent(WALLET_B, STRANGER, noticeBody(5n, owner, text))
  const request = sent(owner, WALLET_A, transferBody(5n, STRANGER, owner, text))
  return { ...request, sent: [{ ...internal, sent: [notice] }] }
}

function* strangers(made: MadeTrace): Generator<Change> {
  const owner = accountOf(made.root)
  const interfaces = { ...made.interfaces, ...strangeWallets(owner) }
  const kinds: Readonly<Record<string, (from: string) => Hop>> = {
    'a transfer': (from) => sent(from, STRANGER, comment('hello'), { bounce: false }),
    'a call': (from) => sent(from, STRANGER, call(0x12345678).end()),
    'a call back': (from) => sent(from, owner, call(0x12345679).end()),
  }
  for (const [i, hop] of hopsOf(made.root).entries()) {
    if (hop.transaction === null) continue
    const hopAccount = accountOf(hop)
    const add = (place: (one: Hop) => readonly Hop[], one: Hop): MadeTrace => ({
      root: replaceHop(made.root, hop, () => ({ ...hop, sent: place(one) })),
      interfaces,
    })
    for (const [name, make] of Object.entries(kinds)) {
      const one = make(hopAccount)
      yield [`${name} first from ${i}`, add((stranger) => [stranger, ...hop.sent], one)]
      yield [`${name} last from ${i}`, add((stranger) => [...hop.sent, stranger], one)]
    }
    if (hopAccount === owner)
      yield [`a jetton transfer from ${i}`, add((one) => [...hop.sent, one], strangeTransfer(owner))]
  }
}

const twice = (made: MadeTrace): MadeTrace =>
  withRoot(made, { ...made.root, sent: [...made.root.sent, ...made.root.sent] })

/** The names of an account wherever they are in the trace. */
export function renamed({ root, interfaces }: MadeTrace, from: string, to: string): MadeTrace {
  const inText = (json: Json): Json => JSON.parse(JSON.stringify(json).replaceAll(from, to))
  return {
    interfaces: inText(interfaces) as MadeTrace['interfaces'],
    root: mapHops(root, (hop) => ({
      ...hop,
      message: withBody(inText(hop.message), renamedIn(bodyOf(hop), from, to)),
      transaction: hop.transaction === null ? null : inText(hop.transaction),
    })),
  }
}

/** What two traces do, requested at once of one wallet. */
export function together(one: MadeTrace, other: MadeTrace): MadeTrace {
  const guest = renamed(other, accountOf(other.root), accountOf(one.root))
  return {
    root: { ...one.root, sent: [...one.root.sent, ...guest.root.sent] },
    interfaces: { ...guest.interfaces, ...one.interfaces },
  }
}

export function* changesOf(made: MadeTrace): Generator<Change> {
  yield ['as it was', made]
  yield ['reversed', reversed(made)]
  yield ['twice', twice(made)]
  yield* amounts(made)
  yield* excesses(made)
  yield* wallets(made)
  yield* within(made)
  yield* mishaps(made)
  yield* strangers(made)
}
