// Complaints with what other tables say of the accused and of who voted.

import { hashFromBytes } from '../../../cell/index.ts'
import {
  type AccountKey,
  type Accused,
  accusedRead,
  type ComplaintRow,
  readAll,
  type Sql,
  type Voter,
  votersRead,
} from '../../../store/index.ts'
import type { Call } from '../../call.ts'
import { type ComplaintView, type DecidingSet, toComplaint } from '../../view/v3/staking/validators.ts'

interface ComplaintFound {
  readonly complaint: ComplaintView
  readonly row: ComplaintRow
  readonly accounts: readonly AccountKey[]
}

const keyOf = ({ electionId, publicKey }: Pick<Accused, 'electionId' | 'publicKey'>): string =>
  `${electionId} ${hashFromBytes(publicKey)}`

/** Each once, by a text that names it. */
const distinct = <T>(values: readonly T[], nameOf: (value: T) => string | number): T[] => [
  ...new Map(values.map((value) => [nameOf(value), value])).values(),
]

async function decidingSets(rows: readonly ComplaintRow[], store: Sql, call: Call): Promise<Map<string, DecidingSet>> {
  const hashes = distinct(
    rows.map(({ decidingSet }) => decidingSet),
    hashFromBytes,
  )
  const places = distinct(
    rows.flatMap(({ voters }) => voters),
    (place) => place,
  )
  const sets = new Map<string, { readonly totalWeight: bigint; readonly members: Map<number, Voter> }>()
  for (const voter of await readAll(store, votersRead(hashes, places), call)) {
    const key = hashFromBytes(voter.setHash)
    const set = sets.get(key) ?? { totalWeight: voter.totalWeight, members: new Map() }
    if (voter.index !== null) set.members.set(voter.index, voter)
    sets.set(key, set)
  }
  return sets
}

/** Complaints as v3 writes them, in the order of their rows. */
export async function complaintRowsOf(
  rows: readonly ComplaintRow[],
  store: Sql,
  call: Call,
): Promise<ComplaintFound[]> {
  if (rows.length === 0) return []
  const names = distinct(rows, keyOf)
  const [accused, sets] = await Promise.all([
    readAll(
      store,
      accusedRead(
        names.map(({ electionId }) => electionId),
        names.map(({ publicKey }) => publicKey),
      ),
      call,
    ),
    decidingSets(rows, store, call),
  ])
  const known = new Map(accused.map((one) => [keyOf(one), one]))
  return rows.map((row) => {
    const of = known.get(keyOf(row))
    const complaint = toComplaint(row, of, sets.get(hashFromBytes(row.decidingSet)))
    return { row, complaint, accounts: of?.holder == null ? [row.rewardTo] : [row.rewardTo, of.holder] }
  })
}
