// From the text of a column to its JavaScript value, by the number of its type, for statements whose columns come as text. A type
// that is not listed is an error, so that no value is ever guessed.

type Parse = (text: string) => unknown

const isTrue = (text: string): boolean => text === 't'
const asIs = (text: string): string => text

/** Up to so many bytes, which all hashes and addresses have, are read digit by digit: four times as fast as `Buffer.from`. */
const FEW = 48
const DIGITS = Uint8Array.from({ length: 128 }, (_, code) => Number.parseInt(String.fromCharCode(code), 16) || 0)

const digitAt = (text: string, at: number): number => DIGITS[text.charCodeAt(at)] ?? 0

/** In a buffer of their own: a view into a shared one would keep all of that in memory. */
function bytes(text: string): Uint8Array {
  const found = new Uint8Array((text.length - 2) >> 1)
  if (found.length > FEW) Buffer.from(found.buffer).write(text.slice(2), 'hex')
  else
    for (let i = 0, at = 2; i < found.length; i++, at += 2) found[i] = (digitAt(text, at) << 4) | digitAt(text, at + 1)
  return found
}

/** Element and array by their numbers in `pg_type`, which are fixed; JSON stays text, which goes into replies as it is. */
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

export const unknownType = (oid: number): TypeError =>
  new TypeError(`A column of the unknown type ${oid}: cast it in the statement`)

/** In the form `pg` takes. */
export const columnTypes = {
  getTypeParser(oid: number): Parse {
    const refuse = () => {
      throw unknownType(oid)
    }
    return parsers.get(oid) ?? refuse
  },
}

/** `{1,NULL,"a \"b\"",{2}}`: elements are quoted where they would be ambiguous. */
function parseArray(text: string, parse: Parse): unknown[] {
  // Lower bounds other than 1 come first: `[0:1]={1,2}`.
  let at = text.indexOf('{')
  const list = (): unknown[] => {
    const found: unknown[] = []
    at++
    while (text[at] !== '}') {
      if (at >= text.length) throw new TypeError('An array is cut off')
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
      if (at >= text.length) throw new TypeError('An array is cut off')
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
