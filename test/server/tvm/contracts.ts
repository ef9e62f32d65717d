// Small contracts, assembled by hand, and the cells around them.

import type { Message, TupleItem } from '@ton/core'
import { Address, beginCell, Cell, Dictionary, serializeTuple, storeMessage } from '@ton/core'

export const alice = Address.parse(`0:${'11'.repeat(32)}`)
export const bob = Address.parse(`0:${'22'.repeat(32)}`)
export const special = Address.parse(`-1:${'55'.repeat(32)}`)

/** Code from hexadecimal opcodes; blanks are for the reader. */
export function assemble(hex: string): Cell {
  return beginCell()
    .storeBuffer(Buffer.from(hex.replaceAll(' ', ''), 'hex'))
    .endCell()
}

export const code = {
  /** SETCP0 */
  silent: assemble('FF00'),
  /** SETCP0 ACCEPT */
  accepting: assemble('FF00 F800'),
  /** SETCP0 42 THROW */
  throwing: assemble('FF00 F22A'),
  /** SETCP0 ACCEPT 42 THROW */
  acceptingThrowing: assemble('FF00 F800 F22A'),
  /** SETCP0 ACCEPT { NOP } AGAIN */
  endless: assemble('FF00 F800 9100 EA'),
  /** SETCP0 40 { { PUSHNULL CTOS } { DROP2 } TRY } REPEAT: a type error, caught, 40 times over */
  catching: assemble('FF00 8028 97 926DD0 915B F2FF E4'),
  /** Sends the message in its data, counts up: c4 PUSHCTR CTOS 32 LDU DUP PLDREF 1 SENDRAWMSG, SWAP INC ... c4 POPCTR */
  sender: assemble('FF00 ED44 D0 D31F 20 D74C 71 FB00 01 A4 C8 CB1F CE C9 ED54'),
  /** SETCP0 c4 PUSHCTR SETCODE */
  selfReplacing: assemble('FF00 ED44 FB04'),
  /** Get-methods: SETCP0, leaves its arguments and the method id on the stack. */
  echo: assemble('FF00'),
  /** SETCP0 DROP PREVMCBLOCKS: exit code 7 when the emulator was not given any */
  prevBlocks: assemble('FF00 30 F83400'),
  /** SETCP0 DROP MYADDR BALANCE NOW RANDU256 */
  context: assemble('FF00 30 F828 F827 F823 F810'),
  /** SETCP0 DROP CONFIGPARAM DROP CTOS SBITS: exit code 2 if the parameter is absent */
  config: assemble('FF00 30 F832 30 D0 D749'),
}

/** A stack value for REPEAT: SETCP0 DROP PUSHNULL 1 TUPLE, `depth` times around. */
export function nestedTuple(depth: number): Cell {
  return beginCell()
    .storeUint(0xff0030, 24)
    .storeUint(0x6d, 8)
    .storeUint(0x81, 8)
    .storeInt(depth, 16)
    .storeUint(0x926f01e4, 32)
    .endCell()
}

/** A chain of cells, each holding the next. */
export function deepCell(depth: number): Cell {
  let cell = Cell.EMPTY
  for (let level = 0; level < depth; level++)
    cell = beginCell()
      .storeUint(level & 0xff, 8)
      .storeRef(cell)
      .endCell()
  return cell
}

export function libraryCell(of: Cell): Cell {
  return beginCell().storeUint(2, 8).storeBuffer(of.hash()).endCell({ exotic: true })
}

/** The dictionary of public libraries with one entry, published by `special`. */
export function publicLibrary(library: Cell): Cell {
  const publishers = beginCell().storeUint(0b10, 2).storeUint(256, 9).storeBuffer(special.hash).endCell()
  const entry = beginCell().storeUint(0, 2).storeRef(library).storeSlice(publishers.beginParse()).endCell()
  const libraries = Dictionary.empty(Dictionary.Keys.Buffer(32), {
    serialize: (value: Cell, builder) => builder.storeSlice(value.beginParse()),
    parse: (slice) => slice.asCell(),
  })
  libraries.set(library.hash(), entry)
  return beginCell().storeDictDirect(libraries).endCell()
}

/** The tuple of previous blocks, all of them the same one, as a stack entry. */
export function previousBlocks(): Cell {
  const numbers = [-1n, -(2n ** 63n), 5n, 6n, 7n].map((value): TupleItem => ({ type: 'int', value }))
  const block: TupleItem = { type: 'tuple', items: numbers }
  const all: TupleItem = { type: 'tuple', items: Array<TupleItem>(16).fill(block) }
  // A stack of one entry, without its depth and the rest of the stack.
  const stack = serializeTuple([{ type: 'tuple', items: [all, block] }])
    .beginParse()
    .skip(24)
  stack.loadRef()
  return stack.asCell()
}

interface AccountParts {
  readonly address?: Address
  readonly code?: Cell
  readonly data?: Cell
  readonly balance?: bigint
  readonly lastPaid?: number
  readonly tickTock?: boolean
}

/** A ShardAccount; without code an uninitialised one. */
export function shardAccount(parts: AccountParts): Cell {
  const { address = alice, balance = 10_000_000_000n, lastPaid = 0, tickTock = false } = parts
  const stats = (amount: number) => beginCell().storeUint(1, 3).storeUint(amount, 8)
  const account = beginCell()
    .storeBit(true)
    .storeAddress(address)
    .storeBuilder(stats(1))
    .storeBuilder(stats(103))
    .storeUint(0, 3)
    .storeUint(lastPaid, 32)
    .storeBit(false)
    .storeUint(0, 64)
    .storeCoins(balance)
    .storeBit(false)
  if (parts.code === undefined) account.storeUint(0, 2)
  else {
    account.storeBit(true).storeBit(false).storeBit(tickTock)
    if (tickTock) account.storeUint(0b11, 2)
    account
      .storeMaybeRef(parts.code)
      .storeMaybeRef(parts.data ?? Cell.EMPTY)
      .storeBit(false)
  }
  return beginCell().storeRef(account.endCell()).storeUint(0, 256).storeUint(0, 64).endCell()
}

export const noAccount = beginCell()
  .storeRef(beginCell().storeBit(false).endCell())
  .storeUint(0, 256)
  .storeUint(0, 64)
  .endCell()

interface InternalParts {
  readonly to?: Address
  readonly from?: Address
  readonly value?: bigint
  readonly bounce?: boolean
  readonly bounced?: boolean
  readonly body?: Cell
  readonly init?: { readonly code?: Cell; readonly data?: Cell }
  readonly currencies?: Readonly<Record<number, bigint>>
}

export function internal(parts: InternalParts): Cell {
  const other = Dictionary.empty(Dictionary.Keys.Uint(32), Dictionary.Values.BigVarUint(5))
  for (const [id, amount] of Object.entries(parts.currencies ?? {})) other.set(Number(id), amount)
  const message: Message = {
    info: {
      type: 'internal',
      ihrDisabled: true,
      bounce: parts.bounce ?? true,
      bounced: parts.bounced ?? false,
      src: parts.from ?? bob,
      dest: parts.to ?? alice,
      value: { coins: parts.value ?? 1_000_000_000n, other },
      ihrFee: 0n,
      forwardFee: 0n,
      createdLt: 1_000_001n,
      createdAt: 1_700_000_000,
    },
    body: parts.body ?? Cell.EMPTY,
    ...(parts.init === undefined ? {} : { init: { code: parts.init.code ?? null, data: parts.init.data ?? null } }),
  }
  return beginCell().store(storeMessage(message)).endCell()
}

export function external(to: Address, body: Cell, init?: { readonly code: Cell; readonly data: Cell }): Cell {
  const message: Message = {
    info: { type: 'external-in', dest: to, importFee: 0n },
    body,
    ...(init === undefined ? {} : { init }),
  }
  return beginCell().store(storeMessage(message)).endCell()
}

export function boc(cell: Cell): Buffer {
  return cell.toBoc()
}
