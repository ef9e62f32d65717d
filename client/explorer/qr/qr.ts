// A QR code of up to 84 bytes: version 5 at correction level M, which fits a link to an address with 37 modules a side.

const SIZE = 37
const BLOCKS = 2
const DATA_PER_BLOCK = 43
const CHECKS = 24
const DATA = BLOCKS * DATA_PER_BLOCK
const HEADER_BITS = 12

/** Powers of 2 in the field the checks are computed in, and their exponents. */
const POWERS = new Uint8Array(256)
const EXPONENTS = new Uint8Array(256)
for (let exponent = 0, value = 1; exponent < 255; exponent++) {
  POWERS[exponent] = value
  EXPONENTS[value] = exponent
  value = (value << 1) ^ (value & 0x80 ? 0x11d : 0)
}

const times = (a: number, b: number): number =>
  a === 0 || b === 0 ? 0 : (POWERS[((EXPONENTS[a] ?? 0) + (EXPONENTS[b] ?? 0)) % 255] ?? 0)

/** The polynomial all codes of this length are divisible by, without its first factor 1. */
function generator(): Uint8Array {
  let factors = Uint8Array.of(1)
  for (let root = 0; root < CHECKS; root++) {
    const next = new Uint8Array(factors.length + 1)
    factors.forEach((factor, at) => {
      next[at] = (next[at] ?? 0) ^ factor
      next[at + 1] = (next[at + 1] ?? 0) ^ times(factor, POWERS[root] ?? 0)
    })
    factors = next
  }
  return factors.subarray(1)
}

function checksOf(block: Uint8Array, factors: Uint8Array): Uint8Array {
  const rest = new Uint8Array(CHECKS)
  for (const byte of block) {
    const lead = byte ^ (rest[0] ?? 0)
    rest.copyWithin(0, 1)
    rest[CHECKS - 1] = 0
    factors.forEach((factor, at) => {
      rest[at] = (rest[at] ?? 0) ^ times(factor, lead)
    })
  }
  return rest
}

/** Bytes in the order they are drawn in. */
function codewordsOf(bytes: Uint8Array): number[] {
  const data = new Uint8Array(DATA)
  // Byte mode, the length, the bytes; what follows is filled with two bytes in turn.
  data[0] = 0x40 | (bytes.length >> 4)
  data[1] = (bytes.length & 15) << 4
  bytes.forEach((byte, at) => {
    data[at + 1] = (data[at + 1] ?? 0) | (byte >> 4)
    data[at + 2] = (byte & 15) << 4
  })
  for (let at = bytes.length + 2, odd = false; at < DATA; at++, odd = !odd) data[at] = odd ? 0x11 : 0xec
  const factors = generator()
  const blocks = Array.from({ length: BLOCKS }, (_, i) => data.subarray(i * DATA_PER_BLOCK, (i + 1) * DATA_PER_BLOCK))
  const checks = blocks.map((block) => checksOf(block, factors))
  const inTurn = (lists: readonly Uint8Array[], length: number): number[] =>
    Array.from({ length }, (_, at) => lists.map((list) => list[at] ?? 0)).flat()
  return [...inTurn(blocks, DATA_PER_BLOCK), ...inTurn(checks, CHECKS)]
}

/** Level M with mask 3, with its own checks. */
const FORMAT = 0b101101101001011
const TIMING = 6
const ALIGNMENT = 30

type Grid = (boolean | undefined)[][]

/** Squares within squares around a center: dark where the distance is none of `light`. */
function drawSquares(
  grid: Grid,
  [row, column]: readonly [number, number],
  reach: number,
  light: readonly number[],
): void {
  for (let y = -reach; y <= reach; y++)
    for (let x = -reach; x <= reach; x++) {
      const line = grid[row + y]
      if (line === undefined || column + x < 0 || column + x >= SIZE) continue
      line[column + x] = !light.includes(Math.max(Math.abs(x), Math.abs(y)))
    }
}

function drawFormat(grid: Grid): void {
  const set = (row: number, column: number, bit: number): void => {
    const line = grid[row]
    if (line) line[column] = ((FORMAT >> bit) & 1) === 1
  }
  for (let bit = 0; bit < 15; bit++) {
    // Up the left finder, over the timing line; and below the other two finders.
    if (bit < 8) set(bit < 6 ? bit : bit + 1, 8, bit)
    else set(8, bit === 8 ? 7 : 14 - bit, bit)
    if (bit < 8) set(8, SIZE - 1 - bit, bit)
    else set(SIZE - 15 + bit, 8, bit)
  }
  const line = grid[SIZE - 8]
  if (line) line[8] = true
}

function frame(): Grid {
  const grid: Grid = Array.from({ length: SIZE }, () => Array.from({ length: SIZE }, () => undefined))
  for (let at = 0; at < SIZE; at++)
    for (const [row, column] of [
      [TIMING, at],
      [at, TIMING],
    ] as const) {
      const line = grid[row]
      if (line) line[column] = at % 2 === 0
    }
  for (const center of [
    [3, 3],
    [3, SIZE - 4],
    [SIZE - 4, 3],
  ] as const)
    drawSquares(grid, center, 4, [2, 4])
  drawSquares(grid, [ALIGNMENT, ALIGNMENT], 2, [1])
  drawFormat(grid)
  return grid
}

/** The rows of a code, true for dark. Throws RangeError for text it does not hold. */
export function qrOf(text: string): readonly (readonly boolean[])[] {
  const bytes = new TextEncoder().encode(text)
  if (bytes.length > DATA - Math.ceil(HEADER_BITS / 8)) throw new RangeError('This is too long for a QR code.')
  const bits = codewordsOf(bytes).flatMap((word) => Array.from({ length: 8 }, (_, at) => (word >> (7 - at)) & 1))
  const grid = frame()
  let next = 0
  // Two columns at a time from the right, up and down in turn, around the timing column.
  for (let right = SIZE - 1, up = true; right > 0; right -= right === TIMING + 2 ? 3 : 2, up = !up)
    for (let step = 0; step < SIZE; step++) {
      const y = up ? SIZE - 1 - step : step
      const line = grid[y]
      for (const x of [right, right - 1]) {
        if (line === undefined || line[x] !== undefined) continue
        line[x] = (bits[next] === 1) !== ((x + y) % 3 === 0)
        next++
      }
    }
  return grid.map((line) => line.map((isDark) => isDark === true))
}
