// Made-up transactions whose trees are known, and what their traces must come to.

import { createHash } from 'node:crypto'
import fc from 'fast-check'
import type { OpenTraceTransaction, RootKind } from '../../../server/facts/trace/openTrace.ts'

export interface Plant extends OpenTraceTransaction {
  /** Counts the masterchain blocks of a forest. */
  readonly step: number
  readonly root: Plant
  readonly isMadeByChain: boolean
  readonly rootKind: RootKind
}

/** One transaction to be: which one sent it its message, how much later, and what it sends besides. */
interface Seed {
  /** By position, of those before it; beyond them a new root. */
  readonly parent: number
  readonly kind: RootKind
  readonly later: number
  readonly lt: number
  readonly account: number
  readonly logs: number
  readonly lost: number
}

export const hashOf = (text: string): Uint8Array => new Uint8Array(createHash('sha256').update(text).digest())
export const keyOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

const seed: fc.Arbitrary<Seed> = fc.record({
  parent: fc.nat(40),
  kind: fc.constantFrom<RootKind[]>('external', 'system', 'none', 'unknown'),
  later: fc.constantFrom(0, 0, 0, 1, 3),
  lt: fc.nat(1000),
  account: fc.nat(8),
  logs: fc.nat(2),
  lost: fc.constantFrom(0, 0, 0, 1),
})

const accountOf = (number: number): Uint8Array =>
  Uint8Array.of(number % 3 === 0 ? 127 : 128, ...hashOf(`account ${number}`))

const SYSTEM = Uint8Array.of(127, ...new Uint8Array(32))

type Message = NonNullable<OpenTraceTransaction['inMessage']>

function rootMessage(kind: RootKind, i: number): Message | null {
  const hash = hashOf(`root message ${i}`)
  if (kind === 'none') return null
  if (kind === 'external') return { hash, kind: 'externalIn', source: null }
  // Of the messages the chain makes some have its own address, others any.
  return { hash, kind: 'internal', source: kind === 'system' && i % 2 === 0 ? SYSTEM : accountOf(i) }
}

function grow(seeds: readonly Seed[]): Plant[] {
  const plants: Plant[] = []
  const sent: { hash: Uint8Array; kind: 'internal' | 'externalOut' }[][] = []
  seeds.forEach(({ parent, kind, later, lt, account, logs, lost }, i) => {
    const sender = plants[parent]
    const message: Message | null =
      sender === undefined
        ? rootMessage(kind, i)
        : { hash: hashOf(`message to ${i}`), kind: 'internal', source: sender.account }
    if (sender !== undefined && message !== null) sent[parent]?.push({ hash: message.hash, kind: 'internal' })
    const step = (sender?.step ?? 0) + later
    const outMessages = [
      ...Array.from({ length: logs }, (_, n) => ({ hash: hashOf(`log ${i} ${n}`), kind: 'externalOut' as const })),
      ...Array.from({ length: lost }, (_, n) => ({ hash: hashOf(`lost ${i} ${n}`), kind: 'internal' as const })),
    ]
    sent.push(outMessages)
    const facts = {
      hash: hashOf(`transaction ${i}`),
      account: accountOf(account),
      // Within a block no order of times is promised: a receiver may seem to come before its sender.
      lt: BigInt(step * 10_000 + lt),
      now: 1_700_000_000 + step,
      mcSeqno: 100 + step,
      inMessage: message,
      outMessages,
      step,
      isMadeByChain: sender === undefined && kind === 'system',
      rootKind: sender?.rootKind ?? kind,
    }
    const plant = facts as typeof facts & { root: Plant }
    plant.root = sender?.root ?? plant
    plants.push(plant)
  })
  return plants
}

export const forest: fc.Arbitrary<Plant[]> = fc.array(seed, { minLength: 1, maxLength: 60 }).map(grow)

export interface ExpectedTrace {
  readonly state: 'pending' | 'complete' | 'broken'
  readonly nodes: number
  readonly edges: number
  readonly pendingEdges: number
  readonly accounts: readonly string[]
  readonly span: readonly [mcSeqnoStart: number, mcSeqnoEnd: number, startLt: bigint, endLt: bigint]
}

/** What comes of a whole forest, counted tree by tree. */
export function expectedTraces(plants: readonly Plant[]): Map<string, ExpectedTrace> {
  const consumed = new Set(plants.flatMap(({ inMessage }) => (inMessage === null ? [] : [keyOf(inMessage.hash)])))
  const roots = plants.filter((plant) => plant.root === plant)
  return new Map(
    roots.map((root) => {
      const members = plants.filter((plant) => plant.root === root)
      const messages = members.flatMap(({ outMessages }) => outMessages)
      const logs = messages.filter(({ kind }) => kind === 'externalOut').length
      const waiting = messages.filter(({ hash, kind }) => kind === 'internal' && !consumed.has(keyOf(hash))).length
      const isBroken = root.rootKind === 'unknown'
      const inbound = root.rootKind === 'external' || root.rootKind === 'system' ? 1 : 0
      const ends = members.map(({ lt }) => lt)
      const trace: ExpectedTrace = {
        state: isBroken ? 'broken' : waiting > 0 ? 'pending' : 'complete',
        nodes: members.length,
        edges: members.length - 1 + logs + inbound,
        pendingEdges: waiting + (isBroken ? 1 : 0),
        accounts: [...new Set(members.map(({ account }) => keyOf(account)))].sort(),
        span: [
          root.mcSeqno,
          Math.max(...members.map(({ mcSeqno }) => mcSeqno)),
          root.lt,
          ends.reduce((a, b) => (a > b ? a : b)),
        ],
      }
      return [keyOf(root.hash), trace]
    }),
  )
}
