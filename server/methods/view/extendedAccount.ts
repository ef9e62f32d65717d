// Contracts whose data v2 decodes, by the hash of their code.

import type { z } from 'zod'
import { type ParsedAddress, toFriendly } from '../../../shared/address.ts'
import { toDigits } from '../../../shared/primitives.ts'
import type { Result } from '../../../shared/registry.ts'
import type { ExtendedAccountState } from '../../../shared/v2/accountState.ts'
import type { accountsV2 } from '../../../shared/v2/accounts.ts'
import {
  type Cell,
  CellError,
  coinsValue,
  dictKind,
  intKey,
  loadDict,
  openCell,
  orNull,
  type Slice,
} from '../../cell/index.ts'
import type { AccountAt } from '../../node/index.ts'
import { NO_BAGS, type WrittenBags } from '../stack/writtenBags.ts'
import {
  balanceText,
  contractPartsOf,
  toCellText,
  toExtraCurrencies,
  toLastTransaction,
  toMaybeHash,
} from './account.ts'
import { toBlockId } from './ids.ts'
import { paymentChannel } from './paymentChannel.ts'

type State = z.output<typeof ExtendedAccountState>

/** What a balance is now depends on both. */
interface Moment {
  readonly grams: bigint
  readonly utime: number
}

type Reader = (data: Slice, moment: Moment) => State

const seqnoAndId = (data: Slice) => {
  const seqno = data.loadUint(32)
  return { wallet_id: data.loadUint(32), seqno }
}

const v3: Reader = (data) => ({ '@type': 'wallet.v3.accountState', ...seqnoAndId(data) })
const v4: Reader = (data) => ({ '@type': 'wallet.v4.accountState', ...seqnoAndId(data) })
const highload1: Reader = (data) => ({ '@type': 'wallet.highload.v1.accountState', ...seqnoAndId(data) })
const highload2: Reader = (data) => ({ '@type': 'wallet.highload.v2.accountState', wallet_id: data.loadUint(32) })
const dns: Reader = (data) => ({ '@type': 'dns.accountState', wallet_id: data.loadUint(32) })

/** Locked amount of a restricted wallet, by seconds since its start. */
const limitsKind = dictKind(intKey(32), coinsValue)
/** Anyone can deploy this code with cells that claim billions by sharing subtrees. */
const MOST_LIMITS = 1024

const restricted: Reader = (data, { grams, utime }) => {
  const numbers = seqnoAndId(data)
  const start = data.skip(256).loadUint(32)
  const limits = loadDict(data, limitsKind)
  if (limits.count(MOST_LIMITS) > MOST_LIMITS) throw new CellError('value', `more than ${MOST_LIMITS} limits`)
  // One that was never started locks what it locks at its start.
  const [, locked] = limits.previous(start === 0 ? 0 : (utime - start) | 0, true) ?? [0, 0n]
  return {
    '@type': 'rwallet.accountState',
    unlocked_balance: Number(grams > locked ? grams - locked : 0n),
    config: {
      '@type': 'rwallet.config',
      start_at: start,
      limits: [...limits].map(([seconds, value]) => ({ '@type': 'rwallet.limit', seconds, value: Number(value) })),
    },
    ...numbers,
  }
}

const KNOWN: Readonly<Record<string, readonly [Reader, revision: number]>> = {
  b61041a58a7980b946e8fb9e198e3c904d24799ffa36574ea4251c41a566f581: [v3, 1],
  '84dafa449f98a6987789ba232358072bc0f76dc4524002a5d0918b9a75d2d599': [v3, 2],
  feb5ff6820e2ff0d9483e7e0d62c817d846789fb4ae580c878866d959dabd5c0: [v4, 2],
  '0ab1ff93a9e79c0deff4405d8dad6b5ac9f8c01b2f1ebcb4259feb9e98380099': [highload1, -1],
  d8cdbbb79f2c5caa677ac450770be0351be21e1250486de85cc52aa33dd16484: [highload1, 1],
  '368c03972e5f4c24412b818652de1de2a2630d1c011609999dff745fb36849ad': [highload1, 2],
  '9494d1cc8edf12f05671a1a9ba09921096eb50811e1924ec65c3c629fbb80812': [highload2, -1],
  '8ceb45b3cd4b5cc60eaae1c13b9c092392677fe536b2e9b2d801b62eff931fe1': [highload2, 1],
  '0b3a887aeacd2a7d40bb5550bc9253156a029065aefb6d6b583735d58da9d5be': [highload2, 2],
  '7353ade3e1f7cbedc525b3e7bc3226fe5ac8276fa5279ac37fb6efbc88f422b7': [dns, -1],
  a0d67d2de8919fe7b7ca77652ccd4fdc56c689de7a69161e45fb0dcc5e47c155: [dns, 1],
  '0dafb2d193dc5aa5bee21eb6070510ca9475d2f0d6eb62acf9bf02923ce78e0b': [paymentChannel, -1],
  '8d35049b946cf33b58510bb4560c841a945f7781d6de9fc69ca3f430f6e32273': [restricted, 1],
}

interface Extended {
  readonly account_state: State
  readonly revision: number
}

/** The data of a known contract; null for other code, and for data of another shape, which may be deployed too. */
export function knownState(codeHash: string, data: Cell, moment: Moment): Extended | null {
  const known = KNOWN[codeHash]
  if (known === undefined) return null
  const [read, revision] = known
  return orNull(() => ({ account_state: read(openCell(data), moment), revision }))
}

function extendedState({ account, utime }: Pick<AccountAt, 'account' | 'utime'>, bags: WrittenBags): Extended {
  const { code, data, frozenHash } = contractPartsOf(account)
  const frozen_hash = toMaybeHash(frozenHash)
  if (code === null) return { account_state: { '@type': 'uninited.accountState', frozen_hash }, revision: 0 }
  const known = data && knownState(code.hashHex(), data, { grams: balanceText(account).grams, utime })
  if (known !== null) return known
  const raw = { code: toCellText(code, bags), data: toCellText(data, bags), frozen_hash }
  return { account_state: { '@type': 'raw.accountState', ...raw }, revision: 0 }
}

/** The address keeps the flags it was given with. */
export function toExtendedAddressInformation(
  address: ParsedAddress,
  found: AccountAt,
  bags = NO_BAGS,
): Result<typeof accountsV2.getExtendedAddressInformation> {
  const balance = balanceText(found.account)
  return {
    '@type': 'fullAccountState',
    address: { '@type': 'accountAddress', account_address: toFriendly(address) },
    balance: toDigits(balance.grams),
    extra_currencies: toExtraCurrencies(balance),
    last_transaction_id: toLastTransaction(found.shardAccount),
    block_id: toBlockId(found.block),
    sync_utime: found.utime,
    ...extendedState(found, bags),
  }
}
