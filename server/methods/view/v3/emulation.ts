// Emulated traces as clients of the emulation interface know them.

import { toDigits } from '../../../../shared/primitives.ts'
import type { Result } from '../../../../shared/registry.ts'
import type { emulationV3 } from '../../../../shared/v3/emulation.ts'
import { base64Of, type Cell, NO_CRC, sameBytes, writingBoc } from '../../../cell/index.ts'
import type { TokenContractData } from '../../../contracts/index.ts'
import { inPieces, type SlicedWork } from '../../../fairness/index.ts'
import type { TransactionFound } from '../../../store/index.ts'
import type { EmulatedTransaction } from '../../emulation/emulation.ts'
import type { Replayed } from '../../emulation/replayTransaction.ts'
import type { WithStates } from '../../emulation/states.ts'
import type { TokenChanges } from '../../emulation/tokenChanges.ts'
import { rawOfKey } from '../../keyOfAccount.ts'
import { toDescribedToken } from './assets/token.ts'

type Emulated = Result<(typeof emulationV3)['emulate.trace']>
type ReplayAnswer = Result<(typeof emulationV3)['emulate.replay']>
type Changes = NonNullable<Emulated['balance_changes']>
type Metadata = NonNullable<Emulated['metadata']>

/** Clients read these cells as accountStates writes them. */
async function cellsByHash(cells: readonly (Cell | null)[], slices: SlicedWork): Promise<Record<string, string>> {
  const written: (readonly [string, string])[] = []
  for (const cell of cells) {
    if (cell === null) continue
    if (slices.isDue) await slices.rest()
    const boc = await inPieces(writingBoc(cell, NO_CRC), slices)
    written.push([base64Of(cell.hashBytes()), base64Of(boc)])
  }
  return Object.fromEntries(written.sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Codes and data of all states, each once. */
export async function toCells(
  all: readonly Pick<WithStates, 'before' | 'after'>[],
  slices: SlicedWork,
): Promise<Pick<Emulated, 'code_cells' | 'data_cells'>> {
  const states = [...new Set(all.flatMap(({ before, after }) => [before, after]))]
  const codes = states.map(({ code }) => code)
  const datas = states.map(({ data }) => data)
  return { code_cells: await cellsByHash(codes, slices), data_cells: await cellsByHash(datas, slices) }
}

export const toLogs = (transactions: readonly EmulatedTransaction[]): Record<string, string> =>
  Object.fromEntries(transactions.map(({ cell, vmLog }) => [base64Of(cell.hashBytes()), vmLog]))

const KINDS = { jettonMaster: 'jetton_masters', nftCollection: 'nft_collections', nftItem: 'nft_items' } as const

const contentOf = (facts: Exclude<TokenContractData, { kind: 'jettonWallet' }>): Record<string, string> | null => {
  const { content } = facts
  if (content.kind === 'domain') return null
  return content.kind === 'offchain' ? { uri: content.uri } : { ...content.values }
}

/** Of tokens no block has yet; whatever they link to was not fetched. */
export function toNewMetadata(created: ReadonlyMap<string, TokenContractData>): Metadata {
  const entries: [string, Metadata[string]][] = []
  for (const [name, facts] of created) {
    if (facts.kind === 'jettonWallet') continue
    const index = facts.kind === 'nftItem' ? facts.index : null
    const token = {
      account: new Uint8Array(),
      kind: KINDS[facts.kind],
      index,
      saleName: null,
      content: contentOf(facts),
      fetched: null,
    }
    const { valid: _, is_nsfw: _nsfw, is_scam: _scam, ...info } = toDescribedToken(token)
    entries.push([name, { is_indexed: false, token_info: [info] }])
  }
  return Object.fromEntries(entries)
}

interface Sums {
  ton: bigint
  fees: bigint
  readonly jettons: Map<string, bigint>
  readonly nfts: Changes[string]['nfts']
}

/** Nanotons out of the states, so that nothing is left out; fees out of the transactions and the messages they sent. */
export function toBalanceChanges(all: readonly TransactionFound[], { jettons, nfts }: TokenChanges): Changes {
  const sums = new Map<string, Sums>()
  const of = (name: string): Sums => {
    const known = sums.get(name) ?? { ton: 0n, fees: 0n, jettons: new Map(), nfts: [] }
    sums.set(name, known)
    return known
  }
  for (const { row, before, after, outMessages } of all) {
    const sum = of(rawOfKey(row.account))
    sum.ton += (after?.balance ?? 0n) - (before?.balance ?? 0n)
    sum.fees += outMessages.reduce((total, { fwdFee }) => total + (fwdFee ?? 0n), row.totalFees)
  }
  for (const { owner, master, amount } of jettons) {
    const held = of(owner).jettons
    held.set(master, (held.get(master) ?? 0n) + amount)
  }
  for (const { item, from, to } of nfts) {
    if (from !== null) of(from).nfts.push({ address: item, gained: false })
    if (to !== null) of(to).nfts.push({ address: item, gained: true })
  }
  return Object.fromEntries([...sums].map(([name, sum]) => [name, toChange(sum)]))
}

const toChange = ({ ton, fees, jettons, nfts }: Sums): Changes[string] => ({
  ton: toDigits(ton),
  fees: toDigits(fees),
  jettons: Object.fromEntries([...jettons].map(([master, amount]) => [master, toDigits(amount)])),
  nfts,
})

export function toReplayed(hash: Uint8Array, { transaction, again, reason, vmLog }: Replayed): ReplayAnswer {
  const stateHash = transaction.stateUpdate.after
  const phases = again?.transaction.description
  const compute = phases !== undefined && 'compute' in phases ? phases.compute : null
  const action = phases !== undefined && 'action' in phases ? phases.action : null
  return {
    tx_hash: base64Of(hash),
    is_equal: again !== null && sameBytes(again.cell.hashBytes(), hash) && sameBytes(again.stateHash, stateHash),
    replayed_tx_hash: again && base64Of(again.cell.hashBytes()),
    state_hash: base64Of(stateHash),
    replayed_state_hash: again && base64Of(again.stateHash),
    exit_code: compute?.kind === 'vm' ? compute.exitCode : null,
    action_result_code: action?.resultCode ?? null,
    reason,
    vm_log: vmLog,
  }
}
