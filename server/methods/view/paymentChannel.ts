// Payment channels of the first years, whose data v2 shows in full: their parties and their state.

import type { z } from 'zod'
import { crc16, toFriendly } from '../../../shared/address.ts'
import type { ExtendedAccountState, PaymentChannelState } from '../../../shared/v2/accountState.ts'
import { type Cell, CellError, loadInternalAddress, openCell, type Slice } from '../../cell/index.ts'

type State = z.output<typeof PaymentChannelState>
type Channel = Extract<z.output<typeof ExtendedAccountState>, { readonly '@type': 'pchan.accountState' }>

/** Reads all of a cell. */
function whole<T>(cell: Cell, read: (slice: Slice) => T): T {
  const slice = openCell(cell)
  const value = read(slice)
  slice.finish()
  return value
}

const KEY_TAG = 0x3ee6

/** The older form of keys: a tag, the key, a checksum. */
function keyText(key: Uint8Array): string {
  const bytes = Buffer.alloc(36)
  bytes.writeUInt16BE(KEY_TAG)
  bytes.set(key, 2)
  bytes.writeUInt16BE(crc16(bytes.subarray(0, 34)), 34)
  return bytes.toString('base64url')
}

function accountAddress(slice: Slice) {
  const address = loadInternalAddress(slice)
  if (address.kind !== 'std') throw new CellError('value', 'an address of the usual form was expected')
  const { workchain, hash } = address
  const account_address = toFriendly({ workchain, hash, bounceable: true, testOnly: false })
  return { '@type': 'accountAddress', account_address } as const
}

function readConfig(slice: Slice): Channel['config'] {
  const init_timeout = slice.loadInt(32)
  const close_timeout = slice.loadInt(32)
  const alice = keyText(slice.loadBytes(32))
  const bob = keyText(slice.loadBytes(32))
  const aliceAddress = slice.loadRef()
  const bobAddress = slice.loadRef()
  const channel_id = Number(slice.loadIntBig(64))
  // Alice's minimum is not shown.
  slice.loadCoins()
  return {
    '@type': 'pchan.config',
    alice_public_key: alice,
    alice_address: whole(aliceAddress, accountAddress),
    bob_public_key: bob,
    bob_address: whole(bobAddress, accountAddress),
    init_timeout,
    close_timeout,
    channel_id,
  }
}

/** What a state is made of: its flags and amounts in their order, under the names they have in it. */
interface Parts {
  readonly state: State
  readonly named: string
  readonly fields: readonly (readonly [name: string, value: boolean | number | bigint])[]
}

function readParts(slice: Slice): Parts {
  const tag = slice.loadUint(3)
  const amounts = (): [bigint, bigint] => [slice.loadCoins(), slice.loadCoins()]
  if (tag === 2) {
    const [a, b] = amounts()
    const state: State = { '@type': 'pchan.statePayout', A: Number(a), B: Number(b) }
    return { state, named: 'chan_state_payout', fields: [['A', a] as const, ['B', b] as const] }
  }
  if (tag > 2) throw new CellError('value', 'no state of a channel')
  const isInit = tag === 0
  const signed_A = slice.loadBit()
  const signed_B = slice.loadBit()
  const [leastA, leastB] = amounts()
  const expire_at = slice.loadUint(32)
  const [a, b] = amounts()
  const prefix = isInit ? 'min' : 'promise'
  return {
    state: {
      '@type': isInit ? 'pchan.stateInit' : 'pchan.stateClose',
      signed_A,
      signed_B,
      min_A: Number(leastA),
      min_B: Number(leastB),
      expire_at,
      A: Number(a),
      B: Number(b),
    },
    named: isInit ? 'chan_state_init' : 'chan_state_close',
    fields: [
      ['signed_A', signed_A],
      ['signed_B', signed_B],
      [`${prefix}_A`, leastA],
      [`${prefix}_B`, leastB],
      ['expire_at', expire_at],
      ['A', a],
      ['B', b],
    ],
  }
}

const bytesOf = (amount: bigint): number => (amount === 0n ? 0 : Math.ceil(amount.toString(16).length / 2))

function fieldText([name, value]: Parts['fields'][number]): string {
  if (typeof value !== 'bigint') return ` ${name}:${Number(value)}`
  return `\n  ${name}:(nanograms\n    amount:(var_uint len:${bytesOf(value)} value:${value}))`
}

/** As the node prints a value of TL-B. */
const describe = ({ named, fields }: Parts): string => `(${named}${fields.map(fieldText).join('')})\n`

/** Of the data of a channel. Throws CellError for any other. */
export function paymentChannel(data: Slice): Channel {
  const config = data.loadRef()
  const state = data.loadRef()
  data.finish()
  const parts = whole(state, readParts)
  return {
    '@type': 'pchan.accountState',
    config: whole(config, readConfig),
    state: parts.state,
    description: describe(parts),
  }
}
