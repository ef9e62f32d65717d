// Whether what an action says was moved is what its own transactions moved, by account and asset.

import type { ClassifiedAction, TraceInput, TraceTransaction } from '../../../server/actions/index.ts'
import type { KnownTrace } from '../../../server/cli/classify/knownTrace.ts'
import { CLAIMS, type Claim } from './claims.ts'
import { jettonsBurnt, jettonsMoved, type Movement, tonKept, tonMoved } from './moved.ts'

/** Without the transaction whose message an action begins with: what that one received is another's. */
function ownTransactions({ transactions, startLt }: ClassifiedAction, trace: TraceInput): ReadonlySet<string> {
  const own = trace.transactions.filter(({ hash, lt }) => lt >= startLt && transactions.includes(hash))
  return new Set(own.map(({ hash }) => hash))
}

const magnitude = (amount: bigint): bigint => (amount < 0n ? -amount : amount)

/** What an account gained of a jetton, or lost; null is whoever gained what was made, and lost what was burnt. */
const netOf = (account: string | null, asset: string | null, movements: readonly Movement[]): bigint =>
  movements
    .filter((one) => one.asset === asset)
    .reduce((sum, { from, to, amount }) => {
      if (account === null) return from === null ? sum + amount : to === null ? sum - amount : sum
      return sum + (to === account ? amount : 0n) - (from === account ? amount : 0n)
    }, 0n)

function jettonTrouble(claims: readonly Claim[], movements: readonly Movement[]): string[] {
  const sums = new Map<string, Claim>()
  for (const claim of claims) {
    const key = `${claim.account} ${claim.asset}`
    sums.set(key, { ...claim, amount: claim.amount + (sums.get(key)?.amount ?? 0n) })
  }
  return [...sums].flatMap(([key, { account, asset, amount, isLeast, isMost = false }]) => {
    const net = netOf(account, asset, movements)
    const said = magnitude(amount)
    const found = magnitude(net)
    const isRight = net * amount >= 0n && ((isLeast && found > said) || (isMost && found < said))
    return isRight || net === amount ? [] : [`${key}: said ${amount}, moved ${net}`]
  })
}

/** Of a price, what the way of its payments may take. */
const PART_FOR_GAS = 20n

/** Whether a transaction was brought a price, or paid it to others. */
const isPaidIn = ({ inMessage, outMessages }: TraceTransaction, price: bigint): boolean =>
  (inMessage?.value ?? 0n) >= price ||
  outMessages.reduce((sum, { value }) => sum + (value ?? 0n), 0n) >= price - price / PART_FOR_GAS

interface Ton {
  readonly own: readonly Movement[]
  readonly all: readonly Movement[]
  /** Transactions that kept what they received. */
  readonly kept: ReadonlySet<string>
}

function tonTrouble(claims: readonly Claim[], { own, all, kept }: Ton): string[] {
  const left = [...own]
  // Exact ones first: each message confirms one.
  return [...claims]
    .sort((a, b) => Number(a.isLeast) - Number(b.isLeast))
    .flatMap(({ account, amount, isLeast, isBeside }) => {
      const wanted = magnitude(amount)
      if (wanted === 0n) return []
      const among = isBeside ? [...all] : left
      const at = among.findIndex(
        (one) =>
          (isLeast ? one.amount >= wanted : one.amount === wanted) &&
          (account === null || (amount < 0n ? one.from : one.to) === account) &&
          (amount < 0n || kept.has(one.transaction)),
      )
      if (at >= 0) among.splice(at, 1)
      return at >= 0 ? [] : [`${account} TON: said ${amount}`]
    })
}

/** What an action says was moved, and was not. */
export function untrueClaims(action: ClassifiedAction, known: KnownTrace): string[] {
  const { type, details, transactions } = action
  const { trace, facts } = known
  // The cast: a type without an entry fails here.
  const claims = CLAIMS[type as keyof typeof CLAIMS](details, facts).filter((claim) => claim !== null)
  const ownHashes = ownTransactions(action, trace)
  const isOwn = ({ transaction }: Movement): boolean => ownHashes.has(transaction)
  const jettons = [...jettonsMoved(trace, facts), ...jettonsBurnt(trace, facts)].filter(isOwn)
  const ton = tonMoved(trace)
  const kept = new Set(tonKept(trace).map(({ transaction }) => transaction))
  const around = trace.transactions.filter(({ hash }) => transactions.includes(hash))
  const prices = claims.filter(({ isPrice }) => isPrice)
  const amounts = claims.filter(({ isPrice }) => !isPrice)
  const isTon = ({ asset }: Claim): boolean => asset === null
  return [
    ...jettonTrouble(
      amounts.filter((claim) => !isTon(claim)),
      jettons,
    ),
    ...tonTrouble(amounts.filter(isTon), { own: ton.filter(isOwn), all: ton, kept }),
    ...prices
      .filter(({ amount }) => !around.some((one) => isPaidIn(one, amount)))
      .map(({ amount }) => `price ${amount}`),
  ].map((trouble) => `${type} ${trouble}`)
}
