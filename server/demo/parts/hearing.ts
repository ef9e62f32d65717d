// A complaint about a validator: another one files it, and the rest vote for it in the next block.

import {
  complaintHash,
  complaintPrice,
  complaintPrices,
  ELECTOR_ADDRESS,
  electorComplaintBody,
  electorVoteBody,
  noBlocksSince,
} from '../../devchain/index.ts'
import { type Act, type Cast, scriptCoins } from '../script.ts'
import { type CrewMember, TERMS } from './crew.ts'

/** With fewer validators the accused would have to vote against itself. */
const FEWEST = 3
const FINE = scriptCoins(25)
const SEVERITY = 1

export interface Hearing {
  /** Validators of the election, the first of them with the greatest stake, all others with an equal one. */
  readonly crew: readonly CrewMember[]
  readonly electionId: number
  /** Unix seconds: when the complaint is filed. */
  readonly now: number
}

const byKey = (a: CrewMember, b: CrewMember): number => Buffer.compare(b.validator.publicKey, a.validator.publicKey)

export function createHearing(
  { wallet }: Cast,
  { crew, electionId, now }: Hearing,
): { readonly complaint: readonly Act[]; readonly votes: readonly Act[] } {
  const [first, ...others] = crew
  const filer = others.at(0)
  const accused = others.at(-1)
  if (crew.length < FEWEST || first === undefined || filer === undefined || accused === undefined)
    return { complaint: [], votes: [] }
  const complaint = {
    publicKey: accused.validator.publicKey,
    description: noBlocksSince(electionId),
    severity: SEVERITY,
    fine: FINE,
  }
  const unfrozenAt = electionId + TERMS.electedFor + TERMS.heldFor
  const record = {
    createdAt: now,
    rewardTo: filer.wallet.address,
    paid: complaintPrice(complaint, unfrozenAt - now, complaintPrices),
  }
  // Of equal stakes that of the greater key comes first.
  const set = [first, ...others.toSorted(byKey)]
  const votes = set.flatMap((member, index) => {
    if (member === accused) return []
    const vote = { electionId, complaint: complaintHash(complaint, record), index, sign: member.validator.sign }
    return [{ to: ELECTOR_ADDRESS, value: scriptCoins(0.1), body: electorVoteBody(126n, vote) }]
  })
  const body = electorComplaintBody(125n, electionId, complaint)
  return {
    complaint: [{ by: filer.wallet, sends: [{ to: ELECTOR_ADDRESS, value: scriptCoins(10), body }] }],
    votes: [{ by: wallet(9), sends: votes }],
  }
}
