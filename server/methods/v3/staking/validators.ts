import type { validatorsV3 } from '../../../../shared/v3/staking/validators.ts'
import {
  type ElectionRow,
  electionsRead,
  type ParticipantFound,
  participantsRead,
  readAll,
  readPage,
  type Sql,
  stakeEventsRead,
  type ValidatorFilter,
} from '../../../store/index.ts'
import type { Call, Handlers } from '../../call.ts'
import { openPage } from '../../paging.ts'
import { toElection, toStakeEvent } from '../../view/v3/staking/validators.ts'
import type { SideObjects } from '../names/sideObjects.ts'
import { checkEmbedded, given, listEnd, validatorFrom, windowEcho, windowFrom } from './lists.ts'

/** Without participants where they are not asked for. */
interface Shown {
  readonly election: ElectionRow
  readonly participants: readonly ParticipantFound[] | null
}

export function validatorHandlers(store: Sql, side: SideObjects): Handlers<typeof validatorsV3> {
  /** Reads the elections again, in one statement with their participants. */
  async function withParticipants(rows: readonly ElectionRow[], filter: ValidatorFilter, call: Call) {
    const ids = rows.map(({ electionId }) => electionId)
    const found = new Map<number, Shown & { readonly participants: ParticipantFound[] }>()
    for (const { election, participant } of await readAll(store, participantsRead(ids, filter), call)) {
      const shown = found.get(election.electionId) ?? { election, participants: [] }
      found.set(election.electionId, shown)
      if (participant !== null) shown.participants.push(participant)
    }
    return [...found.values()]
  }

  return {
    async 'v3.validators.events'(params, call) {
      const filter = validatorFrom(params)
      const window = windowFrom(params)
      const { ask, cursor } = openPage('v3.validators.events', params)
      const read = stakeEventsRead({ ...filter, type: params.type, window }, ask)
      const { rows, next } = await readPage(store, read, call)
      const named = [...given(filter.holder), ...rows.map(({ holder }) => holder)]
      return {
        ...windowEcho(params),
        events: rows.map(toStakeEvent),
        ...(await listEnd({ store, side, call }, named, cursor(next))),
      }
    },

    async 'v3.validators.elections'(params, call) {
      const { election_id: electionId, finished, return_participants: isWhole } = params
      const filter = validatorFrom(params)
      const window = windowFrom(params)
      checkEmbedded(params.limit, 'return_participants', isWhole)
      const { ask, cursor } = openPage('v3.validators.elections', params)
      const { rows, next } = await readPage(
        store,
        electionsRead({ ...filter, electionId, finished, window }, ask),
        call,
      )
      const shown: readonly Shown[] = isWhole
        ? await withParticipants(rows, filter, call)
        : rows.map((election) => ({ election, participants: null }))
      const holders = shown.flatMap(({ participants }) => participants?.map(({ holder }) => holder) ?? [])
      return {
        elections: shown.map(({ election, participants }) => toElection(election, participants)),
        ...(await listEnd({ store, side, call }, [...given(filter.holder), ...holders], cursor(next))),
      }
    },
  }
}
