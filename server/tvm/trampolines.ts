// Writes a small WebAssembly module that takes the place of the glue's `invoke_*` functions. The emulator is compiled
// so that every C++ call that may throw goes out to JavaScript, which calls back in under a `try`. A small transaction
// makes hundreds of these trips. The module made here does the same inside WebAssembly, by its exception handling:
//
//   invoke(index, ...args):  sp = stackSave()
//                            try   return table[index](...args)
//                            catch (our tag)  stackRestore(sp); setThrew(1, 0); return 0
//
// An exception that one function was to catch itself, and does not, ends here: `swallow` reports it, and the call returns 0.
//
// Only our tag is caught. Traps, aborts and exhausted stacks must pass through untouched, as they do in the glue.

const types: Readonly<Record<string, number>> = { i: 0x7f, j: 0x7e, f: 0x7d, d: 0x7c }
const zeros: Readonly<Record<string, readonly number[]>> = {
  i: [0x41, 0],
  j: [0x42, 0],
  f: [0x43, 0, 0, 0, 0],
  d: [0x44, 0, 0, 0, 0, 0, 0, 0, 0],
}
const op = {
  if: 0x04,
  try: 0x06,
  catch: 0x07,
  end: 0x0b,
  return: 0x0f,
  call: 0x10,
  equal: 0x46,
  callIndirect: 0x11,
  localGet: 0x20,
  localSet: 0x21,
  constant: 0x41,
}
const noResult = 0x40
const functionType = 0x60
const functionReferences = 0x70

/** Export names of the module next to the `invoke_*` functions. */
export const trampolineExports = { table: 'table', tag: 'tag' } as const

/** Names of the import that returns 1 for an exception that ends at its call. */
export const swallowImport = { module: 'glue', name: 'swallow' } as const
const SWALLOW = 0

/** Slots of the table, after the copied ones, for three functions of the emulator. */
export const runtimeSlots = { stackSave: 0, stackRestore: 1, setThrew: 2, count: 3 } as const

/** Unsigned LEB128. */
function unsigned(value: number): number[] {
  const bytes: number[] = []
  let rest = value
  do {
    const low = rest & 0x7f
    rest >>>= 7
    bytes.push(rest === 0 ? low : low | 0x80)
  } while (rest !== 0)
  return bytes
}

/** Signed LEB128 of an `i32.const` operand. */
export function signedLeb128(value: number): number[] {
  const bytes: number[] = []
  let rest = value
  for (;;) {
    const low = rest & 0x7f
    rest >>= 7
    const signBit = (low & 0x40) !== 0
    if ((rest === 0 && !signBit) || (rest === -1 && signBit)) return [...bytes, low]
    bytes.push(low | 0x80)
  }
}

function vector(items: readonly (readonly number[])[]): number[] {
  return [...unsigned(items.length), ...items.flat()]
}

function section(id: number, body: readonly number[]): number[] {
  return [id, ...unsigned(body.length), ...body]
}

function text(value: string): number[] {
  const bytes = Buffer.from(value)
  return [...unsigned(bytes.length), ...bytes]
}

function valueType(letter: string): number {
  const type = types[letter]
  if (type === undefined) throw new Error(`Unknown value type ${letter}`)
  return type
}

/** Function types used so far; equal ones share an index. */
class TypeSection {
  readonly #indexes = new Map<string, number>()
  readonly #encoded: number[][] = []

  /** Index of the type that takes the letters of `params` and gives `result` (empty: nothing). */
  index(params: string, result: string): number {
    const key = `${params}:${result}`
    const known = this.#indexes.get(key)
    if (known !== undefined) return known
    const letters = (value: string) => vector([...value].map((letter) => [valueType(letter)]))
    this.#encoded.push([functionType, ...letters(params), ...letters(result)])
    this.#indexes.set(key, this.#encoded.length - 1)
    return this.#encoded.length - 1
  }

  encode(): number[] {
    return vector(this.#encoded)
  }
}

interface Places {
  /** Slot of the table from which the three functions of the emulator are. */
  readonly firstSlot: number
  /** Position of the function whose exceptions may end at its call. */
  readonly swallower: number
}

function invokeBody(
  params: string,
  result: string,
  typeSection: TypeSection,
  { firstSlot, swallower }: Places,
): number[] {
  const stackPointer = params.length + 1
  const call = (slot: number, type: number) => [
    op.constant,
    ...signedLeb128(firstSlot + slot),
    op.callIndirect,
    ...unsigned(type),
    0,
  ]
  const locals = vector([[1, valueType('i')]])
  const code = [
    ...call(runtimeSlots.stackSave, typeSection.index('', 'i')),
    op.localSet,
    ...unsigned(stackPointer),
    op.try,
    result === '' ? noResult : valueType(result),
    ...[...params].flatMap((_, index) => [op.localGet, ...unsigned(index + 1)]),
    op.localGet,
    0,
    op.callIndirect,
    ...unsigned(typeSection.index(params, result)),
    0,
    op.catch,
    0,
    op.localGet,
    ...unsigned(stackPointer),
    ...call(runtimeSlots.stackRestore, typeSection.index('i', '')),
    op.localGet,
    0,
    op.constant,
    ...signedLeb128(swallower),
    op.equal,
    op.if,
    noResult,
    op.call,
    SWALLOW,
    op.if,
    noResult,
    ...(zeros[result] ?? []),
    op.return,
    op.end,
    op.end,
    op.constant,
    1,
    op.constant,
    0,
    ...call(runtimeSlots.setThrew, typeSection.index('ii', '')),
    ...(zeros[result] ?? []),
    op.end,
    op.end,
  ]
  return [...unsigned(locals.length + code.length), ...locals, ...code]
}

/**
 * Encodes the module for functions named like `invoke_viij`: first letter the result (v: none), then the parameters
 * after the table index.
 */
export function encodeTrampolines(names: readonly string[], places: Places): Uint8Array {
  const { firstSlot: tableSize } = places
  const typeSection = new TypeSection()
  const invokes = names.map((name) => {
    const [first = 'v', ...rest] = name.slice('invoke_'.length)
    const result = first === 'v' ? '' : first
    const params = rest.join('')
    return {
      name,
      type: typeSection.index(`i${params}`, result),
      body: invokeBody(params, result, typeSection, places),
    }
  })
  const tagType = typeSection.index('', '')
  const swallowType = typeSection.index('', 'i')
  const kind = { function: 0, table: 1, tag: 4 }
  return Uint8Array.from([
    0,
    0x61,
    0x73,
    0x6d,
    1,
    0,
    0,
    0,
    ...section(1, typeSection.encode()),
    ...section(
      2,
      vector([[...text(swallowImport.module), ...text(swallowImport.name), kind.function, ...unsigned(swallowType)]]),
    ),
    ...section(3, vector(invokes.map(({ type }) => unsigned(type)))),
    ...section(4, vector([[functionReferences, 0, ...unsigned(tableSize + runtimeSlots.count)]])),
    ...section(13, vector([[0, ...unsigned(tagType)]])),
    ...section(
      7,
      vector([
        [...text(trampolineExports.table), kind.table, 0],
        [...text(trampolineExports.tag), kind.tag, 0],
        // Behind the import.
        ...invokes.map(({ name }, index) => [...text(name), kind.function, ...unsigned(1 + index)]),
      ]),
    ),
    ...section(10, vector(invokes.map(({ body }) => body))),
  ])
}
