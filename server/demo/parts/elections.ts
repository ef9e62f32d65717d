// Two rounds of the validators. In the first, one of them stakes the coins of the pool, and another is fined after a
// complaint that the others voted for; in the second, all stake their own coins. Then the stakes of the first are released,
// and the pool shares its reward. Domains are sold in between.

import type { Cell } from '../../cell/index.ts'
import {
  ELECTOR_ADDRESS,
  electorRecoverBody,
  type StoryValidator,
  validatorSetCell,
  WEIGHT,
} from '../../devchain/index.ts'
import {
  poolDepositBody,
  poolNoteValidatorSetBody,
  poolPayRequestedBody,
  poolRecoverStakeBody,
  poolValidatorDepositBody,
  poolWithdrawBody,
} from '../contracts/index.ts'
import { type Act, type Scene, type ScriptStep, type StoryPart, scriptCoins, USUAL_WAIT } from '../script.ts'
import { type CrewMember, createCrew, demoPool, electionRules, poolStakeOf, stakeOf, TERMS } from './crew.ts'
import { createHearing } from './hearing.ts'

const CURRENT_SET = 34
/** Steps until the first election is announced, and steps of the domains after the one that announces the second. */
const FIRST_ANNOUNCED = 4
const SECOND_ANNOUNCED = 2
/** Seconds of an election between its announcement and its close. */
const OPEN = TERMS.startBefore - TERMS.endBefore
/** The pool waits a minute longer than the elector. */
const UNTIL_FREE = TERMS.heldFor + 61

const setting = ([index, value]: readonly [number, Cell]): Act => ({
  by: 'config',
  change: { kind: 'parameter', index, value },
})

/** The genesis validators, until the first elected set takes over. */
function firstTerm(start: number, end: number, crew: readonly CrewMember[]): Cell {
  const weight = WEIGHT / BigInt(crew.length)
  const members = crew.map(({ validator: { publicKey, adnlAddress } }) => ({ publicKey, adnlAddress, weight }))
  return validatorSetCell(start, end, members)
}

function firstRound(scene: Scene, validators: readonly StoryValidator[]): ScriptStep[] {
  const { cast, start } = scene
  const { wallet } = cast
  const crew = createCrew(cast, validators)
  const [first, ...others] = crew
  if (first === undefined) return []
  const pool = demoPool(cast).address
  const electAt = start + FIRST_ANNOUNCED * USUAL_WAIT + TERMS.startBefore
  const [times, , stakes] = electionRules(crew)
  const takeOver = { crew, electionId: electAt, now: electAt + USUAL_WAIT }
  const { complaint, votes } = createHearing(cast, takeOver)
  const late = others.slice(0, 1)
  return [
    {
      acts: [
        setting(times),
        { by: wallet(6), sends: [{ to: first.wallet.address, value: scriptCoins(2300), bounce: false }] },
        {
          by: wallet(8),
          sends: others.map((member) => ({ to: member.wallet.address, value: scriptCoins(2200), bounce: false })),
        },
      ],
    },
    {
      acts: [
        setting(stakes),
        { by: first.wallet, sends: [{ to: pool, value: scriptCoins(1101), body: poolValidatorDepositBody(120n) }] },
      ],
    },
    { acts: [setting([CURRENT_SET, firstTerm(start, electAt, crew)])] },
    // With this block the election is announced.
    { acts: [{ by: wallet(1), sends: [{ to: pool, value: scriptCoins(31), body: poolDepositBody() }] }] },
    {
      acts: [
        { by: first.wallet, sends: [poolStakeOf(cast, first, electAt, 121n)] },
        ...others.map((member) => ({ by: member.wallet, sends: [stakeOf(member, electAt, 122n)] })),
      ],
    },
    // The coins of the pool are frozen: a withdrawal has to wait, and so has another deposit.
    {
      acts: [
        { by: wallet(2), sends: [{ to: pool, value: scriptCoins(1), body: poolWithdrawBody() }] },
        { by: wallet(3), sends: [{ to: pool, value: scriptCoins(41), body: poolDepositBody() }] },
      ],
    },
    // The election is closed: another stake comes back.
    {
      wait: OPEN - 2 * USUAL_WAIT,
      acts: late.map((member) => ({ by: member.wallet, sends: [stakeOf(member, electAt, 123n)] })),
    },
    { wait: TERMS.endBefore, acts: [] },
    {
      acts: [
        { by: first.wallet, sends: [{ to: pool, value: scriptCoins(1), body: poolNoteValidatorSetBody(124n) }] },
        ...complaint,
      ],
    },
    { acts: votes },
  ]
}

function secondRound({ cast, start }: Scene, validators: readonly StoryValidator[]): ScriptStep[] {
  const { wallet } = cast
  const crew = createCrew(cast, validators)
  const [first, ...others] = crew
  if (first === undefined) return []
  const pool = demoPool(cast).address
  // It was announced by the first block after it was due, while domains were sold.
  const announced = start - SECOND_ANNOUNCED * USUAL_WAIT
  const electAt = announced + TERMS.startBefore
  const toPool = (body: Cell): Act => ({ by: first.wallet, sends: [{ to: pool, value: scriptCoins(1), body }] })
  return [
    { acts: crew.map((member) => ({ by: member.wallet, sends: [stakeOf(member, electAt, 130n)] })) },
    { wait: OPEN - (SECOND_ANNOUNCED + 1) * USUAL_WAIT, acts: [] },
    { wait: TERMS.endBefore, acts: [] },
    { acts: [toPool(poolNoteValidatorSetBody(131n))] },
    {
      wait: UNTIL_FREE,
      acts: [
        toPool(poolRecoverStakeBody(132n)),
        ...others.map(
          (member): Act => ({
            by: member.wallet,
            sends: [{ to: ELECTOR_ADDRESS, value: scriptCoins(1), body: electorRecoverBody(133n) }],
          }),
        ),
      ],
    },
    { acts: [{ by: wallet(2), sends: [{ to: pool, value: scriptCoins(1), body: poolPayRequestedBody(134n, 10) }] }] },
  ]
}

export const electionsPart: StoryPart = { name: 'elections', title: 'the validators are elected', steps: firstRound }
export const reelectionsPart: StoryPart = {
  name: 'reelections',
  title: 'the validators are elected again, and the pool earns',
  steps: secondRound,
}
