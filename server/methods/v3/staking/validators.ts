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
import type { SideObjects } from '../sideObjects.ts'
import { checkEmbedded, given, listEnd, validatorFrom, windowEcho, windowFrom } from './lists.ts'

export function validatorHandlers(store: Sql, side: SideObjects): Handlers<typeof validatorsV3> {
  async function participantsOf(rows: readonly ElectionRow[], filter: ValidatorFilter, call: Call) {
    const byElection = new Map<number, ParticipantFound[]>(rows.map(({ electionId }) => [electionId, []]))
    const read = participantsRead([...byElection.keys()], filter)
    for (const found of await readAll(store, read, call)) byElection.get(found.electionId)?.push(found)
    return byElection
  }

  return {
    async 'v3.validators.events'(params, call) {
      const [filter, window] = [validatorFrom(params), windowFrom(params)]
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
      const [filter, window] = [validatorFrom(params), windowFrom(params)]
      checkEmbedded(params.limit, 'return_participants', isWhole)
      const { ask, cursor } = openPage('v3.validators.elections', params)
      const { rows, next } = await readPage(
        store,
        electionsRead({ ...filter, electionId, finished, window }, ask),
        call,
      )
      const participants = isWhole ? await participantsOf(rows, filter, call) : null
      const holders = [...(participants?.values() ?? [])].flat().map(({ holder }) => holder)
      return {
        elections: rows.map((row) => toElection(row, participants?.get(row.electionId) ?? null)),
        ...(await listEnd({ store, side, call }, [...given(filter.holder), ...holders], cursor(next))),
      }
    },
  }
}
