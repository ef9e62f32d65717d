// Finds the two exports by which a WebAssembly program compiled by Emscripten reads and sets its stack pointer. Export
// names differ from build to build, so it matches their code: `global.get`, and `local.get 0; global.set`.

export interface StackExports {
  /** Names of exports: one returns the stack pointer, the other sets it. */
  readonly save: string
  readonly restore: string
}

const section = { imports: 2, globals: 6, exports: 7, code: 10 } as const
const kind = { function: 0, table: 1, memory: 2, global: 3, tag: 4 } as const
const op = { end: 0x0b, localGet: 0x20, globalGet: 0x23, globalSet: 0x24, constant: 0x41 } as const
const int32 = 0x7f
const headerBytes = 8
/** Every stack pointer begins above the first page, other counters of the runtime begin with 0. */
const leastPointer = 1 << 16

class Reader {
  readonly #bytes: Uint8Array
  at: number

  constructor(bytes: Uint8Array, at = 0) {
    this.#bytes = bytes
    this.at = at
  }

  get isAtEnd(): boolean {
    return this.at >= this.#bytes.length
  }

  byte(): number {
    const value = this.#bytes[this.at++]
    if (value === undefined) throw new Error('The emulator is cut short')
    return value
  }

  /** LEB128 of up to 32 bits. */
  number(): number {
    let value = 0
    for (let shift = 0; ; shift += 7) {
      const byte = this.byte()
      if (shift < 32) value |= (byte & 0x7f) << shift
      if (byte < 0x80) return value >>> 0
    }
  }

  text(): string {
    return Buffer.from(this.take(this.number())).toString('latin1')
  }

  take(length: number): Uint8Array {
    const start = this.at
    this.at += length
    return this.#bytes.subarray(start, this.at)
  }

  limits(): void {
    const flags = this.byte()
    this.number()
    if ((flags & 1) !== 0) this.number()
  }

  /** A list, led by its length. */
  list<T>(read: () => T): T[] {
    return Array.from({ length: this.number() }, read)
  }
}

function sectionsOf(bytes: Uint8Array): ReadonlyMap<number, Reader> {
  const reader = new Reader(bytes, headerBytes)
  const found = new Map<number, Reader>()
  while (!reader.isAtEnd) {
    const id = reader.byte()
    found.set(id, new Reader(reader.take(reader.number())))
  }
  return found
}

/** How many functions and globals come from outside: they are counted first. */
function countImports(reader: Reader | undefined): { readonly functions: number; readonly globals: number } {
  const kinds = reader?.list(() => {
    reader.text()
    reader.text()
    const of = reader.byte()
    if (of === kind.function) reader.number()
    else if (of === kind.global) reader.take(2)
    else if (of === kind.memory) reader.limits()
    else {
      // A table has the kind of its elements before its limits, a tag an attribute before its type.
      reader.byte()
      if (of === kind.table) reader.limits()
      else reader.number()
    }
    return of
  })
  const count = (wanted: number) => kinds?.filter((of) => of === wanted).length ?? 0
  return { functions: count(kind.function), globals: count(kind.global) }
}

/** Numbers of globals that may be changed and begin as an address. */
function pointers(reader: Reader | undefined, imported: number): ReadonlySet<number> {
  const found = new Set<number>()
  const count = reader?.number() ?? 0
  for (let i = 0; reader !== undefined && i < count; i++) {
    const type = reader.byte()
    const isMutable = reader.byte() === 1
    const isConstant = reader.byte() === op.constant
    const start = reader.number()
    const ends = reader.byte() === op.end
    // Others begin with a constant of 64 bits or of floating point, which is not read here.
    if (!isConstant || !ends) break
    if (type === int32 && isMutable && start >= leastPointer) found.add(imported + i)
  }
  return found
}

/** Throws when there is no such pair of exports. */
export function findStackExports(bytes: Uint8Array): StackExports {
  const sections = sectionsOf(bytes)
  const imported = countImports(sections.get(section.imports))
  const candidates = pointers(sections.get(section.globals), imported.globals)
  const code = sections.get(section.code)
  const bodies = code?.list(() => code.take(code.number())) ?? []
  const exported = sections.get(section.exports)
  const names = exported?.list(() => ({ name: exported.text(), of: exported.byte(), index: exported.number() })) ?? []
  const nameOf = (global: number, ...before: readonly number[]): string | undefined => {
    const body = [0, ...before, global, op.end]
    return names.find(({ of, index }) => {
      const found = of === kind.function ? bodies[index - imported.functions] : undefined
      return found?.length === body.length && body.every((byte, i) => found[i] === byte)
    })?.name
  }
  for (const global of candidates) {
    const save = nameOf(global, op.globalGet)
    const restore = nameOf(global, op.localGet, 0, op.globalSet)
    if (save !== undefined && restore !== undefined) return { save, restore }
  }
  throw new Error('The emulator does not show its stack pointer, so that its stack cannot be made large enough')
}
