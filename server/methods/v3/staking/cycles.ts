import type { cyclesV3 } from '../../../../shared/v3/staking/cycles.ts'
import { hashFromBytes } from '../../../cell/index.ts'
import {
  type CycleMember,
  type CycleRow,
  complaintsOfCyclesRead,
  complaintsRead,
  cycleMembersRead,
  cyclesRead,
  electedCyclesRead,
  groupBy,
  readAll,
  readPage,
  type Sql,
  type ValidatorFilter,
} from '../../../store/index.ts'
import type { Call, Handlers } from '../../call.ts'
import { openPage } from '../../paging.ts'
import { toCycle, toCycleValidator } from '../../view/v3/staking/validators.ts'
import type { SideObjects } from '../names/sideObjects.ts'
import { complaintRowsOf } from './complaints.ts'
import { checkEmbedded, given, listEnd, validatorFrom, windowFrom } from './lists.ts'

const nameOf = (cycleStart: number, publicKey: Uint8Array): string => `${cycleStart} ${hashFromBytes(publicKey)}`

/** Members of cycles, with complaints about them by cycle and key. */
async function membersOf(store: Sql, rows: readonly CycleRow[], filter: ValidatorFilter, call: Call) {
  const starts = rows.map(({ cycleStart }) => cycleStart)
  const members = new Map<number, CycleMember[]>(starts.map((start) => [start, []]))
  const [all, found] = await Promise.all([
    readAll(store, cycleMembersRead(starts, filter), call),
    readAll(store, complaintsOfCyclesRead(starts), call).then((found) => complaintRowsOf(found, store, call)),
  ])
  for (const one of all) members.get(one.cycleStart)?.push(one)
  const complaints = groupBy(found, ({ complaint, row }) => nameOf(complaint.cycle_start, row.publicKey))
  return { members, about: (one: CycleMember) => complaints.get(nameOf(one.cycleStart, one.publicKey)) ?? [] }
}

export function cycleHandlers(store: Sql, side: SideObjects): Handlers<typeof cyclesV3> {
  return {
    async 'v3.validators.cycles'(params, call) {
      const { cycle_start: cycleStart, election_id: electionId, return_validators: isWhole } = params
      const filter = validatorFrom(params)
      const window = windowFrom(params)
      checkEmbedded(params.limit, 'return_validators', isWhole)
      const { ask, cursor } = openPage('v3.validators.cycles', params)
      const { rows, next } = await readPage(store, cyclesRead({ ...filter, cycleStart, electionId, window }, ask), call)
      const starts = rows.map((row) => row.cycleStart)
      const [electedRows, whole] = await Promise.all([
        readAll(store, electedCyclesRead(starts), call),
        isWhole ? membersOf(store, rows, filter, call) : null,
      ])
      const elected = new Map(electedRows.map((one) => [one.cycleStart, one]))
      const all = [...(whole?.members.values() ?? [])].flat()
      const named = all.flatMap((one) => [
        ...(one.holder === null ? [] : [one.holder]),
        ...(whole?.about(one).flatMap(({ accounts }) => accounts) ?? []),
      ])
      return {
        cycles: rows.map((row) => {
          const members = whole?.members.get(row.cycleStart)
          const shown = members?.map((one) =>
            toCycleValidator(one, whole?.about(one).map(({ complaint }) => complaint) ?? []),
          )
          return toCycle(row, elected.get(row.cycleStart), shown ?? null)
        }),
        ...(await listEnd({ store, side, call }, [...given(filter.holder), ...named], cursor(next))),
      }
    },

    async 'v3.validators.complaints'(params, call) {
      const { cycle_start: cycleStart, election_id: electionId } = params
      const filter = validatorFrom(params)
      const window = windowFrom(params)
      const { ask, cursor } = openPage('v3.validators.complaints', params)
      const read = complaintsRead({ ...filter, cycleStart, electionId, window }, ask)
      const { rows, next } = await readPage(store, read, call)
      const found = await complaintRowsOf(rows, store, call)
      const named = [...given(filter.holder), ...found.flatMap(({ accounts }) => accounts)]
      return {
        complaints: found.map(({ complaint }) => complaint),
        ...(await listEnd({ store, side, call }, named, cursor(next))),
      }
    },
  }
}
