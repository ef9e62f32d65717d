// What is expected of an action, held against the action: the words of the expectations, which are columns of a table,
// as this project shows them.

import type { ClassifiedAction } from '../../../server/actions/index.ts'
import { readBoc } from '../../../server/cell/index.ts'
import type { Expected } from './traceFixtures.ts'

const ROLES: Readonly<Record<string, keyof ClassifiedAction['roles']>> = {
  source: 'source',
  source_secondary: 'sourceSecondary',
  destination: 'destination',
  destination_secondary: 'destinationSecondary',
  asset: 'asset',
  asset_secondary: 'assetSecondary',
  asset2: 'asset2',
  asset2_secondary: 'asset2Secondary',
}

/** Columns that details show under another name, by type; null for those that are not shown. `[]` is where a number stands. */
const SHOWN: Readonly<Record<string, Readonly<Record<string, string | null>>>> = {
  nft_mint: { opcode: null },
  auction_bid: { value: 'amount', marketplace: null },
  // Shown as one value, `null` here: the shape of each record is tested with the rule.
  change_dns: { value: null, value_schema: 'value.sum_type', flags: 'value.flags' },
  delete_dns: { key: 'hash' },
  auction_outbid: { comment: null },
  teleitem_start_auction: { mp_fee_factor: null, mp_fee_base: null },
  nft_purchase: { real_prev_owner: 'real_old_owner' },
  cocoon_proxy_charge: { amount: null },
  evaa_withdraw: { is_ton: null },
  tgbtc_dkg_log_fallback: { asset: 'pubkey', value: 'timestamp' },
  jetton_mint: { value: 'ton_amount' },
  ton_transfer: { content: 'comment' },
  stake_withdrawal: { ts_nft: 'payout_nft' },
  stake_withdrawal_request: { ts_nft: 'payout_nft', amount: null },
  tgbtc_mint: { asset_secondary: 'bitcoin_tx_id' },
  tgbtc_new_key: { source_secondary: 'pubkey', value: null },
  jvault_unstake: { opcode: 'exit_code' },
  jvault_unstake_request: { opcode: 'exit_code' },
  jvault_claim: { claimed_jettons: 'claimed_rewards[].jetton', claimed_amounts: 'claimed_rewards[].amount' },
  tonco_deploy_pool: {
    jetton0_router_wallet: 'router_jetton_wallet_1',
    jetton1_router_wallet: 'router_jetton_wallet_2',
    jetton0_minter: 'jetton_minter_1',
    jetton1_minter: 'jetton_minter_2',
  },
  nft_transfer: { real_prev_owner: 'real_old_owner', marketplace_fee_address: null },
  dedust_v2_claim_fees: { dex_wallet_1: null, dex_wallet_2: null },
  dedust_v2_claim_reward: {
    amount1: 'amount',
    asset1_out: 'asset',
    user_jetton_wallet_1: 'user_jetton_wallet',
    dex_wallet_1: null,
    dex_jetton_wallet_1: 'dex_jetton_wallet',
    is_refund: null,
  },
  dex_withdraw_liquidity: {
    dex_wallet_1: null,
    dex_wallet_2: null,
    dex_jetton_wallet_1: null,
    dex_jetton_wallet_2: null,
  },
}

/** In any type. */
const SHOWN_ANYWHERE: Readonly<Record<string, string>> = {
  asset1: 'asset_1',
  amount1: 'amount_1',
  asset2: 'asset_2',
  amount2: 'amount_2',
  asset1_out: 'asset_1',
  asset2_out: 'asset_2',
  burned_nft_index: 'burnt_nft_index',
  burned_nft_address: 'burnt_nft_address',
}

/** Columns that are no details. */
const COLUMNS: Readonly<Record<string, (action: ClassifiedAction) => unknown>> = {
  success: ({ success }) => success,
  action_id: ({ actionId }) => actionId,
  start_lt: ({ startLt }) => String(startLt),
  end_lt: ({ endLt }) => String(endLt),
  start_utime: ({ startUtime }) => startUtime,
  end_utime: ({ endUtime }) => endUtime,
  parent_action_id: ({ parentActionId }) => parentActionId,
  ancestor_type: ({ ancestorTypes }) => ancestorTypes,
}

/** The same for every action of a trace, or said of it elsewhere. */
const NOT_OF_AN_ACTION = ['type', 'mc_seqno_end', 'trace_id', 'trace_external_hash', 'value_extra_currencies']

/** Opcodes are shown in hex. */
const plain = (value: unknown): unknown =>
  typeof value === 'number' || (typeof value === 'string' && /^0x[0-9a-f]+$/.test(value))
    ? String(BigInt(value))
    : (value ?? null)

/** Bags of cells begin so in base64. */
const BAG = 'te6c'

/** Whether both texts are bags of the same cell: their cells may come in another order, and a checksum may follow. */
const areSameCell = (one: string, other: string): boolean =>
  one.startsWith(BAG) &&
  other.startsWith(BAG) &&
  readBoc(Buffer.from(one, 'base64')).equals(readBoc(Buffer.from(other, 'base64')))

/** Whether all that is expected is there; what else is there does not matter. */
function agrees(found: unknown, expected: unknown): boolean {
  if (Array.isArray(expected))
    return Array.isArray(found) && found.length === expected.length && expected.every((one, i) => agrees(found[i], one))
  if (expected !== null && typeof expected === 'object')
    return (
      found !== null &&
      typeof found === 'object' &&
      Object.entries(expected).every(([key, one]) => agrees((found as Record<string, unknown>)[key], one))
    )
  if (typeof found === 'string' && typeof expected === 'string' && areSameCell(found, expected)) return true
  return plain(found) === plain(expected)
}

/** Flags without a value in the table are shown as false. */
const FLAGS = ['payout_comment_encrypted', 'payout_comment_encoded']

const sorted = (values: unknown): unknown[] => [...(values as unknown[])].sort()

/** Lists without an order: the reference makes them of sets, or of messages as its database has them. */
const UNORDERED = ['ancestor_type', 'vault_excesses']

/** Whether each of a list is there, in any order. */
function agreesInAnyOrder(found: unknown, expected: unknown): boolean {
  if (!Array.isArray(found) || !Array.isArray(expected)) return agrees(found, expected)
  const left = [...found]
  return (
    left.length === expected.length &&
    expected.every((one) => {
      const at = left.findIndex((other) => agrees(other, one))
      return at >= 0 && left.splice(at, 1).length === 1
    })
  )
}

const follow = (within: unknown, step: string): unknown =>
  (within as Record<string, unknown> | null | undefined)?.[step]

/** `a[0].b` of a value; `a[].b` is a list of every `b`. */
function at(value: unknown, path: string): unknown {
  const [list, rest] = path.split('[].')
  if (list !== undefined && rest !== undefined) {
    const each = at(value, list)
    return Array.isArray(each) ? each.map((one) => at(one, rest)) : undefined
  }
  return path
    .split(/[.[\]]+/)
    .filter((step) => step !== '')
    .reduce(follow, value)
}

function difference(name: string, found: unknown, expected: unknown): string[] {
  const isEqual = UNORDERED.includes(name) ? agreesInAnyOrder(found, expected) : agrees(found, expected)
  return isEqual ? [] : [`${name}: ${JSON.stringify(found)}, expected ${JSON.stringify(expected)}`]
}

function differencesOf(action: ClassifiedAction, { type, values }: Expected): string[] {
  const shown = (path: string, expected: unknown): string[] => {
    const name = path.replace(/^\w+_data\./, '')
    const [head = name] = name.split('[')
    const renamed = SHOWN[type]?.[head]
    if (renamed === null) return []
    const where = renamed ?? SHOWN_ANYWHERE[head] ?? head
    const rest = name.slice(head.length)
    return difference(
      name,
      at(action.details, where.includes('[]') && rest !== '' ? where.replace('[]', rest) : where + rest),
      FLAGS.includes(name) ? (expected ?? false) : expected,
    )
  }
  return Object.entries(values).flatMap(([name, expected]) => {
    const role = SHOWN[type]?.[name] === undefined ? ROLES[name] : undefined
    if (role !== undefined) return difference(name, action.roles[role], expected)
    if (name === 'tx_hashes') return difference(name, sorted(action.transactions), sorted(expected))
    // A public key is among them where it takes the place of a party.
    if (name === 'accounts')
      return difference(
        name,
        sorted(action.accounts),
        sorted((expected as string[]).filter((one) => one.includes(':'))),
      )
    if (NOT_OF_AN_ACTION.includes(name)) return []
    const column = COLUMNS[name]
    if (column !== undefined) return difference(name, column(action), expected)
    if (!name.endsWith('_data') || expected === null) return shown(name, expected)
    if (action.details[name] !== undefined) return difference(name, action.details[name], expected)
    return Object.entries(expected as object).flatMap(([key, one]) => shown(key, one))
  })
}

/** How many columns are expected of an action. */
export const columnsOf = ({ values }: Expected): number =>
  Object.entries(values).reduce((sum, [name, value]) => {
    if (NOT_OF_AN_ACTION.includes(name)) return sum
    return sum + (name.endsWith('_data') && value !== null ? Object.keys(value as object).length : 1)
  }, 0)

/** What no action of the type has that is expected of one, by the action that comes nearest. */
export const missing = (actions: readonly ClassifiedAction[], expected: readonly Expected[]): string[] =>
  held(actions, expected).differences

/** The same where no other actions are expected, and how many on either side, and how many columns, have no equal. */
export function unlike(actions: readonly ClassifiedAction[], expected: readonly Expected[]) {
  const { differences, unequal, absent, left } = held(actions, expected)
  const unexpected = left.map(({ type, actionId }) => `${type} not_expected: ${actionId}`)
  const absentFields = absent.reduce((sum, one) => sum + columnsOf(one), 0)
  return {
    differences: [...differences, ...unexpected],
    unequal: Math.max(unequal, left.length),
    unequalFields: differences.length - absent.length + absentFields,
  }
}

/** Pairs the equal ones first, then each of the others with the nearest that is left of its type. */
function held(actions: readonly ClassifiedAction[], expected: readonly Expected[]) {
  const left = [...actions]
  const take = (one: Expected, most: number): string[] | null => {
    const candidates = left
      .filter(({ type }) => type === one.type)
      .map((action) => ({ action, differences: differencesOf(action, one) }))
      .sort((a, b) => a.differences.length - b.differences.length)
    const [nearest] = candidates
    if (nearest === undefined || nearest.differences.length > most) return null
    left.splice(left.indexOf(nearest.action), 1)
    return nearest.differences.map((difference) => `${one.type} ${difference}`)
  }
  const unequal = expected.filter((one) => take(one, 0) === null)
  const absent: Expected[] = []
  const differences = unequal.flatMap((one) => {
    const found = take(one, Number.POSITIVE_INFINITY)
    if (found === null) absent.push(one)
    return found ?? [`${one.type} none`]
  })
  return { differences, unequal: unequal.length, absent, left }
}
