// What a column becomes in JavaScript, by the number of its type: the same from both drivers, because both bring a column
// as text and hand it to these functions. A type that is not listed is refused, so that nothing is ever guessed.

type Parse = (text: string) => unknown

const isTrue = (text: string): boolean => text === 't'
const asIs = (text: string): string => text

/** Up to so many bytes, which every hash and address has, are read a digit at a time: a fourth of what a call would cost. */
const FEW = 48
const DIGITS = Uint8Array.from({ length: 128 }, (_, code) => Number.parseInt(String.fromCharCode(code), 16) || 0)

const digitAt = (text: string, at: number): number => DIGITS[text.charCodeAt(at)] ?? 0

/** Bytes of their own, no window into a shared buffer that would keep all of it alive. */
function bytes(text: string): Uint8Array {
  const found = new Uint8Array((text.length - 2) >> 1)
  if (found.length > FEW) Buffer.from(found.buffer).write(text.slice(2), 'hex')
  else
    for (let i = 0, at = 2; i < found.length; i++, at += 2) found[i] = (digitAt(text, at) << 4) | digitAt(text, at + 1)
  return found
}

/** Element and array by their numbers in `pg_type`, which are fixed; JSON stays text, to be put into replies as it is. */
const TYPES: readonly (readonly [oid: number, arrayOid: number, parse: Parse])[] = [
  [16, 1000, isTrue], // bool
  [17, 1001, bytes], // bytea
  [18, 1002, asIs], // "char"
  [19, 1003, asIs], // name
  [20, 1016, BigInt], // int8
  [21, 1005, Number], // int2
  [23, 1007, Number], // int4
  [25, 1009, asIs], // text
  [26, 1028, Number], // oid
  [114, 199, asIs], // json
  [700, 1021, Number], // float4
  [701, 1022, Number], // float8
  [1042, 1014, asIs], // char(n)
  [1043, 1015, asIs], // varchar
  [1700, 1231, BigInt], // numeric: whole numbers only
  [2278, 0, asIs], // void
  [3802, 3807, asIs], // jsonb
]

const parsers = new Map<number, Parse>(
  TYPES.flatMap(([oid, arrayOid, parse]) => [
    [oid, parse],
    [arrayOid, (text: string) => parseArray(text, parse)],
  ]),
)

/** In the form the driver asks for. */
export const columnTypes = {
  getTypeParser(oid: number): Parse {
    const refuse = () => {
      throw new TypeError(`A column of type ${oid}, which is none of those this program knows: cast it`)
    }
    return parsers.get(oid) ?? refuse
  },
}

/** `{1,NULL,"a \"b\"",{2}}`: elements are quoted when they could be mistaken. */
function parseArray(text: string, parse: Parse): unknown[] {
  // Bounds other than 1 are written before it: `[0:1]={1,2}`.
  let at = text.indexOf('{')
  const list = (): unknown[] => {
    const found: unknown[] = []
    at++
    while (text[at] !== '}') {
      if (at >= text.length) throw new TypeError('An array without an end')
      if (text[at] === ',') at++
      else found.push(element())
    }
    at++
    return found
  }
  const element = (): unknown => {
    if (text[at] === '{') return list()
    if (text[at] === '"') return parse(quoted())
    const start = at
    while (at < text.length && text[at] !== ',' && text[at] !== '}') at++
    const word = text.slice(start, at)
    return word === 'NULL' ? null : parse(word)
  }
  const quoted = (): string => {
    let word = ''
    let start = ++at
    while (text[at] !== '"') {
      if (at >= text.length) throw new TypeError('An array without an end')
      if (text[at] === '\\') {
        word += text.slice(start, at)
        start = ++at
      }
      at++
    }
    word += text.slice(start, at++)
    return word
  }
  return list()
}
